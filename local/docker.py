"""The Docker engine, asked through its command line."""

import ipaddress
import json
import subprocess

from local.progress import LocalError

ANSWER_SECONDS_MAX = 20


def ask(*arguments: str) -> str:
    """Run a short docker command and give its answer. Raises: LocalError."""
    try:
        done = subprocess.run(
            ["docker", *arguments],
            capture_output=True,
            text=True,
            check=True,
            timeout=ANSWER_SECONDS_MAX,
        )
    except FileNotFoundError:
        raise LocalError(
            "`docker` is not installed: sam local invoke needs a Docker engine"
        ) from None
    except subprocess.TimeoutExpired:
        raise LocalError("the Docker engine does not answer") from None
    except subprocess.CalledProcessError as error:
        raise LocalError(f"docker {arguments[0]}: {error.stderr.strip()}") from None
    return done.stdout.strip()


def check() -> None:
    """Ask whether an engine answers. Raises: LocalError."""
    ask("version", "--format", "{{.Server.Version}}")


def gateway() -> str:
    """Give the address under which containers see the engine's machine, or ""."""
    told: list[dict[str, str]] = json.loads(
        ask("network", "inspect", "bridge", "--format", "{{json .IPAM.Config}}")
    )
    return next(filter(None, map(_gateway, told)), "")


def _gateway(network: dict[str, str]) -> str:
    """Give an IPv4 network's gateway: the first address, where the engine does not say."""
    subnet = ipaddress.ip_network(network["Subnet"])
    if isinstance(subnet, ipaddress.IPv6Network):
        return ""
    return network.get("Gateway") or str(next(subnet.hosts()))
