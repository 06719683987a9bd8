-- Where other systems send their alerts.

create table notification_relay (
  id         uuid primary key,
  name       text not null unique,                    -- part of the URL, and the source of its alerts; never changes
  definition jsonb not null,                          -- as the API and rules files write it; secrets by name
  pack       text,
  version    bigint not null default 1,               -- the ETag
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);
comment on table notification_relay is 'Where other systems send their alerts, and how they prove who they are.';

create table notification_relay_history (
  notification_relay_id uuid not null,
  version               bigint not null,
  action                text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at                    timestamptz not null,
  by                    text not null,
  name                  text not null,
  definition            jsonb not null,
  pack                  text,
  primary key (notification_relay_id, version)
);

create trigger notification_relay_changed after insert or update or delete on notification_relay
  for each statement execute function notification_changed();

-- How relays do, written with what they take.
create table relay_line (
  relay_id    uuid primary key,
  received_at timestamptz,
  received    bigint not null default 0,              -- requests with alerts
  events      bigint not null default 0,              -- that said something new
  refused     bigint not null default 0,
  tested_at   timestamptz,
  error       text,                                   -- what was wrong last
  error_at    timestamptz
);

alter table foreign_alert
  add began_at timestamptz,                           -- of the present, or last, time that it was open, as the source says
  add said_at  timestamptz;                           -- of the newest state that was taken, as the source says
create index foreign_alert_source on foreign_alert (source, updated_at desc, id);
