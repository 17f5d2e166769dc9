"""Feeds `keisei serve` what schemathesis makes of the document at /api.

Starts a server with a short run of training and an empty folder of records, lets schemathesis send
requests that follow the document and requests that break it, and expects of every answer what the
document says of it.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

KEISEI = "target/release/keisei"


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--examples", type=int, default=100, help="requests for each operation")
    arguments.add_argument("--seed", type=int, default=1)
    arguments = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        runs, records = folder / "runs", folder / "records"
        train = [KEISEI, "train", "--preset", "cpu-smoke", "--run", "first", "--runs", runs, "--plain"]
        subprocess.run(train, check=True, stdout=subprocess.DEVNULL)
        serve = [KEISEI, "serve", "--listen", "0", "--runs", runs, "--records", records]
        server = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True)
        try:
            address = server.stdout.readline().split()[-1].rstrip("/")
            fuzz = [
                pathlib.Path(sys.executable).with_name("schemathesis"), "run", f"{address}/api",
                "--max-examples", str(arguments.examples), "--seed", str(arguments.seed),
                # What the document allows may still be no position, player or record: those have
                # grammars of their own.
                "--checks", "all", "--exclude-checks", "positive_data_acceptance",
                # These speak WebSocket, which schemathesis does not.
                "--exclude-path-regex", "/(live|think)$", "--request-timeout", "30", "--no-color",
                "--generation-deterministic",
            ]
            status = subprocess.run(fuzz, cwd=folder).returncode
        finally:
            server.terminate()
        ended = server.wait(timeout=30)
        if ended != 0:
            sys.exit(f"the server ended with {ended}")
        outside = {path.name for path in folder.iterdir()} - {"runs", "records", ".schemathesis", ".hypothesis", "schemathesis-report", ".schemathesis-cache"}
        if outside:
            sys.exit(f"something was written beside the folders: {outside}")
        sys.exit(status)


if __name__ == "__main__":
    main()
