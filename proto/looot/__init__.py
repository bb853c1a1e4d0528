"""The Looot protocol; its first version is ``looot.v1``."""
