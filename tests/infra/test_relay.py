"""The relay that lets a container reach the emulator."""

import socket

from local.relay import is_own_address, relay


def test_it_carries_bytes_both_ways_and_each_end() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        relay("127.0.0.1", server.getsockname()[1]) as port,
        socket.create_connection(("127.0.0.1", port)) as client,
    ):
        client.sendall(b"question")
        client.shutdown(socket.SHUT_WR)
        connection, _ = server.accept()
        with connection, connection.makefile("rb") as received:
            assert received.read() == b"question"  # so it received the end too
            connection.sendall(b"answer")
        with client.makefile("rb") as answered:
            assert answered.read() == b"answer"


def test_it_listens_on_the_one_address_only() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with relay("127.0.0.2", port) as relayed, socket.create_server(("127.0.0.3", relayed)):
            pass  # the port would be taken there too


def test_only_an_address_of_this_machine_is_its_own() -> None:
    assert not is_own_address("")  # `bind` takes it for every address
    assert not is_own_address("192.0.2.1")
    assert is_own_address("127.0.0.1")
