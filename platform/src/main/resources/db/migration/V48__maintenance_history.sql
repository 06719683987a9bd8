-- Maintenance windows keep their versions, as all other definitions do.
alter table maintenance_window add column pack text;

create table maintenance_window_history (
  maintenance_window_id uuid not null,
  version    bigint not null,
  action     text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at         timestamptz not null,
  by         text not null,
  name       text not null,
  definition jsonb not null,
  form       smallint not null default 1,
  pack       text,
  primary key (maintenance_window_id, version)
);
comment on table maintenance_window_history is 'Versions of maintenance windows, deleted ones too.';

insert into maintenance_window_history (maintenance_window_id, version, action, at, by, name, definition, form)
select id, version, case when version = 1 then 'created' else 'changed' end, updated_at, updated_by, name, definition, form
from maintenance_window;
