-- Alerts that share a cause, as one thing to take, tell and close.

create table incident (
  id              uuid primary key,
  number          bigint      not null unique generated always as identity,
  status          text        not null check (status in ('open', 'closed')),
  title           text        not null,  -- what is the matter, in present tense
  title_after     text        not null,  -- the same in past tense, for when it is closed
  place_id        integer     references object (id) on delete set null,  -- object of the cause, or what all lie in
  cause_id        uuid        references alert (id) on delete set null,   -- the alert that explains the others; NULL = none does
  cause_rule      uuid,                  -- its definition, to find earlier ones by
  confidence      text        not null check (confidence in ('low', 'medium', 'high')),
  signs           text[]      not null,
  severity        smallint    not null check (severity between 1 and 4),  -- of the worst open alert; closed: as it was last
  worst           smallint    not null check (worst between 1 and 4),     -- the worst it ever had
  since           timestamptz not null,  -- when the first of its alerts began
  opened_at       timestamptz not null,
  updated_at      timestamptz not null,
  cause_over_at   timestamptz,           -- since when its cause is over; NULL = it is not
  quiet_since     timestamptz,           -- since when none of its alerts is open; NULL = one is
  closed_at       timestamptz,
  end_reason      text        check (end_reason in ('over', 'left', 'ended', 'merged')),
  merged_into     uuid        references incident (id) on delete set null,
  owner           text,
  acknowledged_by text,
  acknowledged_at timestamptz,
  alert_count     integer     not null,  -- how many alerts are in it; closed: were in it at its end
  object_count    integer     not null,
  check ((status = 'closed') = (closed_at is not null)),
  check ((status = 'closed') = (end_reason is not null))
);
create index incident_open on incident (number) where status = 'open';
create index incident_closed on incident (closed_at) where closed_at is not null;
create index incident_place on incident (place_id);
create index incident_cause on incident (cause_id);
create index incident_merged on incident (merged_into) where merged_into is not null;
comment on table incident is 'Alerts that share a cause, as one thing to take, tell and close.';

-- Which alerts are and were in which incident. An alert is in one open incident at most.
create table incident_alert (
  incident_id uuid        not null references incident (id) on delete cascade,
  alert_id    uuid        not null references alert (id) on delete cascade,
  joined_at   timestamptz not null,
  left_at     timestamptz,  -- NULL = it is in it
  reason      text check (reason in ('closed', 'left', 'moved', 'merged', 'split', 'ended')),  -- why it is not; closed: it was at the end
  by_hand     boolean     not null default false,  -- somebody put it there, so it is not moved by rule
  primary key (incident_id, alert_id),
  check ((left_at is null) = (reason is null))
);
create unique index incident_alert_one on incident_alert (alert_id) where left_at is null;
create index incident_alert_of on incident_alert (alert_id, joined_at);

-- What happened to incidents, in the words that people read.
create table incident_event (
  id          bigint generated always as identity primary key,
  incident_id uuid        not null references incident (id) on delete cascade,
  at          timestamptz not null,
  kind        text        not null check (kind in ('opened', 'joined', 'left', 'severity', 'cause', 'cause-over', 'merged', 'split',
                            'owner', 'acknowledged', 'comment', 'closed')),
  by          text,               -- NULL = the service
  text        text        not null,
  alerts      uuid[]      not null default '{}'  -- which alerts it is about, at most 50
);
create index incident_event_of on incident_event (incident_id, id);

alter table notification_group
  add column kinds text[];  -- of a group that is an incident: the kinds of objects that were told of; NULL = any other group
