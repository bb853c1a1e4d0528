"""The Looot protocol, version 1: modules generated from the .proto files beside this file."""
