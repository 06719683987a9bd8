# Sourced once, when the first server of a pair makes its database: whom its standby signs in as. Commits wait for the standby
# from "pair.sh synchronous" on, since there is none yet.
run_sql -v password="$DATABASE_REPLICATION_PASSWORD" <<'EOF'
create role replicator login replication password :'password';
EOF
echo "host replication replicator all scram-sha-256" >>"$PGDATA/pg_hba.conf"
