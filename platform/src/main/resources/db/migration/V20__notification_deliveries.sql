-- Notifications on their way: what happened, how things stand between targets and alerts, what is sent, and why.

-- What notifiers work off besides alert_outbox: alerts that came through relays, notices about the installation, tests.
create table notification_event (
  id       bigint generated always as identity primary key,
  source   text not null,                             -- notices, or the name of a relay
  alert_id uuid not null,
  event    text not null check (event in ('NEW', 'UPDATE', 'CANCEL')),
  change   text not null,
  at       timestamptz not null,
  context  jsonb not null                             -- what templates see of it
);

-- Alerts that are not rows of alert, as they were when something was heard of them last.
create table foreign_alert (
  id         uuid primary key,                        -- made of source and key
  number     bigint generated always as identity,
  source     text not null,
  key        text not null,                           -- what the source calls it
  open       boolean not null,
  context    jsonb not null,
  digest     text not null,                           -- of what the source said, so that a repetition is known
  opened_at  timestamptz not null,
  updated_at timestamptz not null,
  unique (source, key)
);
create index foreign_alert_updated on foreign_alert (updated_at) where not open;
comment on table foreign_alert is 'Alerts of relays, and notices about the installation.';

-- How things stand between a target and an alert. The names of the rule and its template stay, so that the end of an alert can
-- be told when the rule is gone.
create table notification_state (
  target_id   uuid not null,
  alert_id    uuid not null,
  rule_id     uuid not null,
  rule_name   text not null,
  template    text not null,
  vars        jsonb not null,
  phase       text not null check (phase in ('none', 'delayed', 'held', 'grouped', 'told', 'over')),
  due         timestamptz,                            -- when to look at it again
  last_told   timestamptz,
  resends     int not null,
  kept        text,                                   -- the last change that was kept back
  openings    timestamptz[] not null,                 -- when NEW was told, for telling whether it flaps
  group_id    uuid,                                   -- told together with others; of an alert that is over until that was told
  sequence    int not null,                           -- of the last notification
  notified    int not null,                           -- how often since it opened
  criticality text,                                   -- told last
  info        text,
  updated_at  timestamptz not null,
  primary key (target_id, alert_id)
);
create index notification_state_alert on notification_state (alert_id);
create index notification_state_due on notification_state (due) where due is not null;
create index notification_state_group on notification_state (group_id) where group_id is not null;
create index notification_state_over on notification_state (updated_at) where phase in ('none', 'over');

-- Alerts that are told together, while any of them is open.
create table notification_group (
  id          uuid primary key,                       -- receivers see it as the id of an alert
  target_id   uuid not null,
  rule_id     uuid not null,
  rule_name   text not null,
  template    text not null,
  vars        jsonb not null,
  key         text not null,
  opened_at   timestamptz not null,
  told        boolean not null,
  due         timestamptz,
  last_told   timestamptz,
  changed     boolean not null,
  resends     int not null,
  open        int not null,
  sequence    int not null,
  notified    int not null,
  criticality text,
  info        text,
  unique (target_id, rule_id, key)
);
create index notification_group_due on notification_group (due) where due is not null;

-- What receivers call alerts, taken from their answers.
create table notified (
  target_id    uuid not null,
  subject_id   uuid not null,                         -- alert or group
  external_ids jsonb not null,
  delivered_at timestamptz not null,
  primary key (target_id, subject_id)
);
create index notified_delivered on notified (delivered_at);

create table delivery (
  id               uuid primary key,                  -- receivers know repetitions by it
  number           bigint generated always as identity unique, -- the order of sending
  target_id        uuid not null,
  target_name      text not null,
  rule_id          uuid,
  rule_name        text,
  subject_id       uuid not null,                     -- alert or group
  alert_number     bigint,
  alert_name       text not null,
  object_name      text,
  criticality      text,
  event            text not null check (event in ('NEW', 'UPDATE', 'CANCEL')),
  change           text not null,
  sequence         int not null,                      -- within (target, subject), from 1
  template         text not null,
  template_version text not null,
  template_hash    text not null,
  message          jsonb,                             -- as it is sent, secrets by name; NULL = made before it is sent first
  context          jsonb,                             -- what it is made of then
  status           text not null check (status in ('waiting', 'sending', 'retry', 'delivered', 'unconfirmed', 'dead', 'dropped')),
  attempts         int not null default 0,
  reached          boolean not null default false,    -- whether the receiver may have got it
  reason           text,                              -- of the last failure, or why it was dropped
  created_at       timestamptz not null,
  due_at           timestamptz not null,              -- next attempt
  expires_at       timestamptz not null,              -- given up then
  ended_at         timestamptz,
  lease_node       text,
  lease_until      timestamptz
);
create index delivery_due on delivery (target_id, due_at) where status in ('waiting', 'retry');
create index delivery_open on delivery (target_id, subject_id, number) where status in ('waiting', 'retry', 'sending');
create index delivery_leased on delivery (lease_until) where status = 'sending';
create index delivery_subject on delivery (subject_id, number);
create index delivery_new on delivery (target_id, created_at) where event = 'NEW';
create index delivery_target on delivery (target_id, number);
create index delivery_ended on delivery (ended_at) where ended_at is not null;
comment on table delivery is 'Every notification: waiting, sent, or given up.';

-- Alerts of a group that a delivery told of.
create table delivery_member (
  delivery_id uuid not null references delivery on delete cascade,
  alert_id    uuid not null,
  primary key (delivery_id, alert_id)
);
create index delivery_member_alert on delivery_member (alert_id);

create table delivery_attempt (
  delivery_id uuid not null references delivery on delete cascade,
  number      int not null,
  at          timestamptz not null,
  node        text not null,
  took_ms     float8 not null,
  verdict     text not null,
  reason      text,
  sent        jsonb not null,                         -- secrets by name
  answer      jsonb,                                  -- its first 2 KB
  primary key (delivery_id, number)
);

-- What rules made of an event of an alert: why somebody was, or was not, notified.
create table notification_trace (
  id       bigint generated always as identity primary key,
  at       timestamptz not null,
  alert_id uuid not null,
  event    text not null,
  change   text not null,
  rule_id  uuid not null,
  rule_name text not null,
  matched  boolean not null,
  words    text not null,
  checks   jsonb not null,                            -- [{"field", "met", "words"}]
  targets  jsonb not null                             -- [{"id", "name", "outcome", "words", "delivery"}]
);
create index notification_trace_alert on notification_trace (alert_id, id);
create index notification_trace_at on notification_trace using brin (at) with (autosummarize = on);

-- How targets do, written by who sends to them.
create table target_line (
  target_id      uuid primary key,
  breaker        text not null default 'closed',
  breaker_node   text,
  last_success   timestamptz,
  last_failure   timestamptz,
  failure        text,                                -- of the last attempt; NULL = it went well
  failing_since  timestamptz,
  failures       bigint not null default 0,           -- in a row
  paused_until   timestamptz,                         -- it does not know us
  stopped_at     timestamptz,                         -- it said that it wants no more
  stopped_reason text,
  definition     text                                 -- digest of the definition that was stopped or paused
);
