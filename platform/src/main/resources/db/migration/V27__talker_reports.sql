-- Reports of top talkers: what became of each run, whose share is too large, and what is sent of them.

-- What the report's schedule and its limit have come to.
create table talker_report_state (
  report_id       uuid primary key references talker_report on delete cascade,
  scheduled_since timestamptz not null,                -- the present schedule; nothing was due before
  judged_version  bigint,                              -- of the report when shares were looked at last; NULL = never
  judged_from     timestamptz,                         -- begin of what was counted
  judged_until    timestamptz,                         -- end of it: up to where flows were rolled up
  over            jsonb not null default '[]'          -- talkers above the limit, most first
);
insert into talker_report_state (report_id, scheduled_since) select id, updated_at from talker_report;

-- A name may be exchanged by an import.
alter table talker_report drop constraint talker_report_name_key;
alter table talker_report add unique (name) deferrable initially deferred;

-- Evaluators watch shares, so they read their rules anew when a report changes.
create trigger talker_report_changed after insert or update or delete on talker_report
  for each statement execute function rule_changed();

alter table talker_report_run
  alter column answer drop not null,                   -- NULL = there is none
  add state      text not null default 'done' check (state in ('done', 'missed', 'failed')),
  add reason     text,                                 -- why there is no answer
  add deliveries jsonb not null default '[]';          -- where it was sent
alter table talker_report_run alter column state drop default;

alter table alert drop constraint alert_source_check;
alter table alert add constraint alert_source_check
  check (source in ('threshold', 'alert-definition', 'outlier-group', 'talker-report'));

alter table delivery drop constraint delivery_event_check;
alter table delivery add constraint delivery_event_check check (event in ('NEW', 'UPDATE', 'CANCEL', 'REPORT'));
