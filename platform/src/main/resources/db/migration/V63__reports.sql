-- Reports: dashboards and views that are sent on schedule, and what each run of them showed.

create table report (
  id         uuid primary key,
  name       text not null,
  definition jsonb not null,                           -- as the API writes it
  form       smallint not null default 1,              -- of the definition (StoredForms)
  pack       text,
  version    bigint not null default 1,                -- the ETag
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  unique (name) deferrable initially deferred          -- a name may be exchanged by an import
);
comment on table report is 'Reports: dashboards and views that are kept and sent on schedule.';

-- One row for each version, the present one included; stays when the report is deleted.
create table report_history (
  report_id  uuid not null,
  version    bigint not null,
  action     text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at         timestamptz not null,
  by         text not null,
  name       text not null,
  definition jsonb not null,
  form       smallint not null default 1,
  pack       text,
  primary key (report_id, version)
);

create trigger report_changed after insert or update or delete on report
  for each statement execute function rule_changed();

create table report_state (
  report_id       uuid primary key references report on delete cascade,
  scheduled_since timestamptz not null                 -- the present schedule; nothing was due before
);

create table report_run (
  id         uuid primary key,
  report_id  uuid not null references report on delete cascade,
  due_at     timestamptz not null,                     -- end of what it shows
  ran_at     timestamptz not null,
  asked_by   text,                                     -- who ran it by hand; NULL = its schedule
  state      text not null check (state in ('done', 'missed', 'failed')),
  reason     text,                                     -- why there is nothing, or why it came late
  parts      integer not null default 0,               -- one, or one for each value of a variable
  panels     integer not null default 0,               -- of all parts
  failed     integer not null default 0,               -- panels that could not be answered
  data       bytea,                                    -- answers of the panels, JSON compressed with gzip; NULL = none
  size       bigint not null default 0,                -- of the data in bytes, before it was compressed
  deliveries jsonb not null default '[]'               -- where it was sent
);
comment on table report_run is 'Runs of reports, with the answers that they showed.';
create index on report_run (report_id, due_at desc, id);

-- Each moment at which a report is due runs once, however many nodes look.
create unique index report_run_once on report_run (report_id, due_at) where asked_by is null;
