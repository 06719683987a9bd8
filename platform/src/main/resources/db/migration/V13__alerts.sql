-- Alert definitions, alerts with their history, and maintenance windows.

create table alert_definition (
  id         uuid primary key,                        -- the same in every installation that has it
  name       text not null,
  definition jsonb not null,                          -- as the API and rules files write it
  pack       text,                                    -- the pack it came with
  version    bigint not null default 1,               -- the ETag
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  unique (name) deferrable initially deferred         -- an import may exchange names
);
comment on table alert_definition is 'Rules that combine thresholds on an object and its neighbours into alerts.';

-- One row for each version, the present one included; stays when the definition is deleted.
create table alert_definition_history (
  alert_definition_id uuid not null,
  version             bigint not null,
  action              text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at                  timestamptz not null,
  by                  text not null,
  name                text not null,
  definition          jsonb not null,
  pack                text,
  primary key (alert_definition_id, version)
);

create table maintenance_window (
  id         uuid primary key,
  name       text not null unique,
  definition jsonb not null,                          -- as the API writes it
  version    bigint not null default 1,               -- the ETag
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);
comment on table maintenance_window is 'Times at which alerts of some objects are suppressed.';

create trigger alert_definition_changed after insert or update or delete on alert_definition
  for each statement execute function rule_changed();
create trigger maintenance_window_changed after insert or update or delete on maintenance_window
  for each statement execute function rule_changed();

-- Alerts ----------------------------------------------------------------------------------------

-- Without a foreign key to what raised it, so that an alert outlives its definition.
create table alert (
  id               uuid primary key,
  number           bigint generated always as identity unique,
  definition_id    uuid not null,                     -- a threshold or an alert definition
  source           text not null check (source in ('threshold', 'alert-definition')),
  definition_name  text not null,
  object_id        int not null references object on delete cascade,
  impact           text not null check (impact in ('health', 'risk', 'efficiency')),
  severity         smallint not null check (severity between 1 and 4),
  status           text not null check (status in ('new', 'active', 'updated', 'canceled')),
  since            timestamptz not null,              -- first sample that violated
  opened_at        timestamptz not null,              -- first tick
  updated_at       timestamptz not null,
  canceled_at      timestamptz,
  cancel_reason    text,
  unknown          boolean not null default false,
  last_tick        timestamptz not null,              -- the tick that changed the columns of its life last
  quiet            int not null default 0,            -- ticks in a row in which it did not fire
  quiet_since      timestamptz,                       -- first of these, kept while it is flapping
  openings         timestamptz[] not null,            -- the last ones, for telling whether it flaps
  flaps            int not null default 0,
  flapping         boolean not null default false,
  owner            text,
  acknowledged_by  text,
  acknowledged_at  timestamptz,
  suspended_until  timestamptz,
  maintenance_id   uuid,                              -- the window that its object is in
  maintenance_name text,
  control_state    text not null generated always as (
    case when maintenance_id is not null then 'suppressed'
         when suspended_until is not null then 'suspended'
         when acknowledged_by is not null then 'acknowledged'
         else 'open' end) stored,
  member_count     int not null,
  members          jsonb not null,                    -- the worst ones, worst first
  member_print     bigint not null,                   -- tells whether all members are the same as before
  explanation      jsonb not null,
  recommendations  text[] not null,
  note_count       int not null default 0
);
comment on table alert is 'What is wrong now, and what was.';
create unique index alert_one_open on alert (definition_id, object_id) where status <> 'canceled';
create index alert_open_object on alert (object_id) where status <> 'canceled';
create index alert_definition_object on alert (definition_id, object_id, opened_at);
create index alert_canceled on alert (canceled_at) where canceled_at is not null;
create index alert_opened on alert (opened_at);
create index alert_suspended on alert (suspended_until) where suspended_until is not null and status <> 'canceled';

-- Conditions that hold, but not yet for as many ticks as their definition waits.
create table alert_pending (
  definition_id uuid not null,
  object_id     int not null references object on delete cascade,
  cycles        int not null,
  last_tick     timestamptz not null,
  primary key (definition_id, object_id)
);

-- Rows become visible when their transaction ends, which is not the order of their ids. Who follows the table goes by
-- (xid, id) and reads only what is below the oldest transaction that still runs, so that nothing is left out.
create table alert_history (
  id          bigint generated always as identity primary key,
  xid         xid8 not null default pg_current_xact_id(),
  alert_id    uuid not null references alert on delete cascade,
  at          timestamptz not null,                   -- the tick, or the moment of the action
  event       text not null,
  by          text,                                   -- NULL = the evaluation
  severity    smallint not null,
  value       float8,
  text        text,
  bound       float8,
  upper       float8,
  note        text,
  explanation text
);
create index alert_history_alert on alert_history (alert_id, id);
create index alert_history_xid on alert_history (xid, id);

-- What notifiers work off. Written with the history row that it is about.
create table alert_outbox (
  id         bigint generated always as identity primary key,
  alert_id   uuid not null references alert on delete cascade,
  history_id bigint not null references alert_history on delete cascade,
  event      text not null,
  at         timestamptz not null
);
create index alert_outbox_alert on alert_outbox (alert_id);
create index alert_outbox_history on alert_outbox (history_id);
create index alert_outbox_at on alert_outbox (at);

alter table evaluation_shard
  add column threshold_ms float8 not null default 0,
  add column alert_ms float8 not null default 0,
  add column thresholds int not null default 0,       -- due in the last tick
  add column open_symptoms bigint not null default 0,
  add column open_alerts bigint not null default 0,
  add column transitions int not null default 0;      -- alerts that the last tick opened, changed or canceled
