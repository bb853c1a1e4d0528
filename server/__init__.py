"""The Looot engine as a gRPC service, and the ``looot`` command."""
