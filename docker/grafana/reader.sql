-- A user for Grafana: may read the views, present and future, and nothing else.
\getenv password READER_PASSWORD
select 'create role grafana login' where not exists (select from pg_roles where rolname = 'grafana') \gexec
alter role grafana password :'password';
alter role grafana set default_transaction_read_only = on;
alter role grafana set statement_timeout = '60s';
grant usage on schema views to grafana;
grant select on all tables in schema views to grafana;
alter default privileges in schema views grant select on tables to grafana;
grant select on metric, metric_5m, metric_1h, objects, properties, alerts, changes, bounds, outlier to grafana;
grant select on flows, flows_5m, flows_1h, flows_1d, talkers_5m, talkers_1h, talkers_1d to grafana;
grant select on flow_buckets, flow_levels, flow_ends, networks, observers to grafana;
