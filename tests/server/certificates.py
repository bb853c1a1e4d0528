"""Certificates to test with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc
import trustme
from pyqwest import SyncClient, SyncHTTPTransport

from server.settings import Settings


class Certificates:
    """A server's and a client's, each vouched for by an authority of its own."""

    def __init__(self, folder: Path) -> None:
        self.authority, self.clients = trustme.CA(), trustme.CA()
        issued = self.authority.issue_cert("localhost")
        self.chain, self.key, self.client_ca, self.server_ca = (
            folder / name for name in ("chain.pem", "key.pem", "clients.pem", "authority.pem")
        )
        self.chain.write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))
        self.key.write_bytes(issued.private_key_pem.bytes())
        self.clients.cert_pem.write_to_path(str(self.client_ca))
        self.authority.cert_pem.write_to_path(str(self.server_ca))

    def settings(self, mutual: bool = False, **others: Any) -> Settings:
        """Give the settings of a server with TLS."""
        return Settings(
            **{
                "database_url": "",
                "tls_certificate": self.chain,
                "tls_key": self.key,
                "tls_client_ca": self.client_ca if mutual else None,
                **others,
            }
        )

    def channel(self, address: str, client: trustme.LeafCert | None = None) -> grpc.Channel:
        credentials = grpc.ssl_channel_credentials(
            self.authority.cert_pem.bytes(),
            client.private_key_pem.bytes() if client else None,
            client.cert_chain_pems[0].bytes() if client else None,
        )
        port = address.rpartition(":")[2]
        return grpc.secure_channel(f"localhost:{port}", credentials)

    def http_client(self, client: trustme.LeafCert | None = None) -> SyncClient:
        return SyncClient(
            SyncHTTPTransport(
                tls_ca_cert=self.authority.cert_pem.bytes(),
                tls_key=client.private_key_pem.bytes() if client else None,
                tls_cert=client.cert_chain_pems[0].bytes() if client else None,
            )
        )
