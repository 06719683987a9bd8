-- Points of OpenTelemetry are a sender of their own kind; they were counted among the collectors of line protocol.
alter table sender drop constraint sender_kind_check;
alter table sender add check (kind in ('lines', 'otlp', 'json', 'source', 'flows'));
update sender set kind = 'otlp' where kind = 'lines' and name = 'OpenTelemetry';
update sender_rate set kind = 'otlp' where kind = 'lines' and name = 'OpenTelemetry';
