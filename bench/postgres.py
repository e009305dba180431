"""A PostgreSQL server of our own for a run: durable, on the run's disk, on loopback."""

import os
import pathlib
import shutil
import subprocess

import bench


def folder():
    """Where the server's programs are."""
    versions = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return versions[-1].parent if versions else None


class Cluster:
    """Started on entering, stopped on leaving."""

    def __init__(self, place):
        self.place, self.port = place / "postgres", bench.free_port()
        self.url = f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def run(self, *command, **options):
        # The server refuses to run as root.
        user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        return subprocess.run([*user, *map(str, command)], check=True, cwd=self.place, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, **options)

    def __enter__(self):
        if folder() is None:
            raise bench.Unmeasurable("there is no PostgreSQL server on this machine")
        self.place.mkdir()
        if os.geteuid() == 0:
            self.place.parent.chmod(0o711)
            shutil.chown(self.place, "postgres", "postgres")
        data = self.place / "data"
        try:
            self.run(folder() / "initdb", "-D", data, "-U", "postgres", "--auth=trust", "--no-instructions")
        except (subprocess.CalledProcessError, PermissionError) as problem:
            raise bench.Unmeasurable(f"a PostgreSQL cluster cannot be made in {self.place.name}: {problem}")
        options = (f"-c listen_addresses=127.0.0.1 -c port={self.port} -c unix_socket_directories= "
                   "-c shared_buffers=256MB -c max_connections=200 -c fsync=on -c synchronous_commit=on")
        self.run(folder() / "pg_ctl", "-D", data, "-w", "-l", self.place / "log", "-o", options, "start")
        return self

    def __exit__(self, *problem):
        self.run(folder() / "pg_ctl", "-D", self.place / "data", "-m", "fast", "-w", "stop")

    def pgbench(self, seconds):
        """Transactions per second of pgbench's simple update, one commit each; and the server's µs for one."""
        base = [folder() / "pgbench", "-h", "127.0.0.1", "-p", self.port, "-U", "postgres"]
        self.run(*base, "-i", "-q", "-s", "10", "postgres")
        before = self.ended_seconds()
        out = self.run(*base, "-n", "-N", "-c", "32", "-j", "2", "-T", seconds, "postgres").stdout
        number = {}
        for line in out.splitlines():
            name, _, value = line.partition("=" if line.startswith("tps") else ":")
            number[name.strip()] = value.split()[0].split("/")[0] if value.split() else ""
        count = int(number["number of transactions actually processed"])
        bench.wait_for(lambda: self.ended_seconds() > before, "the end of pgbench's connections")
        return float(number["tps"]), (self.ended_seconds() - before) / count * 1e6

    def ended_seconds(self):
        """The processor time of the server's processes that have ended: one for each connection."""
        pid = (self.place / "data" / "postmaster.pid").read_text().split()[0]
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
