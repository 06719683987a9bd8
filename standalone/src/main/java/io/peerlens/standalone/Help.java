package io.peerlens.standalone;

/** Help texts of {@code ./peerlens help}. */
final class Help {

  static final String TEXT =
      """
      Peerlens finds the machine that differs from its peers.

        ./peerlens [start]       start everything on this machine: PostgreSQL, Kafka, the service, a sample datacentre
            --detach             return when the pages answer, and keep running
            --port PORT          of the pages and the API (8080)
            --https [HOST:]PORT  speak https there too, for programs that insist on it; HOST is 127.0.0.1 unless
                                 given, 0.0.0.0 is all; the certificate is made, or is yours (docs/tls.md)
            --kafka-port PORT    of the embedded Kafka broker (9092)
            --database JDBC_URL  use a database elsewhere; user and password by PEERLENS_DATABASE_USER
                                 and PEERLENS_DATABASE_PASSWORD
            --kafka BOOTSTRAP    use a Kafka elsewhere, as host:port[,host:port]
            --no-sample          start empty, without the sample datacentre
        ./peerlens status        what runs, how fast samples arrive; exit code 3 if nothing runs
        ./peerlens stop          stop it in order
        ./peerlens replay FILE...  send captures (.lp, .jsonl) and batch output of esxtop (.csv) through Kafka;
                                 each also as .gz, and - is output of esxtop from standard input
            --shift              move the newest sample to now; original times otherwise
            --speed N            N times as fast as they were taken; as fast as possible otherwise
            --follow             go on while the output of esxtop grows, and when it is rotated
            --host NAME          of esxtop's host, when its output calls it otherwise
            --vcenter NAME       of esxtop's host, when several have one of that name
            --create             make objects of esxtop's host and virtual machines, which no collector reports
            --kafka BOOTSTRAP    to a Kafka elsewhere
        ./peerlens import-run FOLDER
                                 import results of benchmarks (fio, vdbench, HCIBench, DiskSpd and others): a folder,
                                 a ZIP of one, or a file (docs/benchmark-runs.md)
            --object NAME        what was tested, such as a cluster; also its id
            --from TIME          when the first run began, for tools that do not say it
            --note TEXT          what should be known about it
        ./peerlens size --objects N --metrics N --interval TIME
                                 print what an installation needs: disks, memory, cores, partitions, what limits first;
                                 metrics are those of all objects together; 100k and 2M are understood
            --metrics-per-set N  that arrive together, in one row (6)
            --flows N            ends with a service that talk every minute, for each direction and observer (0)
            --retention LIST     such as raw=14d,5m=90d,1h=730d,flows=3d,flows-5m=14d,flows-1h=90d,flows-1d=730d,
                                 which is as shipped
            --explain            with formulas, unit costs and where they were measured
        ./peerlens token create --role viewer|operator|admin|ingest [--name NAME]
                                 print a new API token, and nothing else; with one of the role viewer
                                 Claude Code, VS Code and the like ask at URL/mcp (docs/assistants.md)
        ./peerlens secrets rotate
                                 seal the secrets of notifications with a new key
        ./peerlens source add vcenter https://HOST
                                 read a vCenter; shows its certificate to be confirmed, asks for the password
            --user USER          account that it is read as; asked for otherwise
            --name NAME          what to call it (its host)
            --sha256 FINGERPRINT certificate that you have compared already; asked for otherwise
            --password-file FILE password, or - for the first line of the input; never an argument
        ./peerlens source list   where data come from, and whether they do
        ./peerlens source pause|resume|remove NAME
                                 stop reading it for now, read it again, remove it
        ./peerlens help          this text

      Each but size takes --data DIR, where everything is kept (./data). status, replay, import-run, token, secrets
      and source also take --url URL for a server elsewhere, with a token in PEERLENS_TOKEN.
      """;

  private Help() {}
}
