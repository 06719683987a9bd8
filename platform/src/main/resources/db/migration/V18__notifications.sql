-- What notifications look like, who gets them, how receivers are reached, what is held, and tables to look values up in.

-- Moves with every change of any of these, so that notifiers see cheaply whether anything changed. A number of its own: evaluators
-- do not care.
create table notification_version (
  one     boolean primary key default true check (one),
  version bigint not null
);
insert into notification_version (version) values (0);

create function notification_changed() returns trigger
language plpgsql as $$
begin
  update notification_version set version = version + 1;
  return null;
end $$;

create table lookup_table (
  id         uuid primary key,                        -- made of the name
  name       text not null unique,
  definition jsonb not null,                          -- name and the CSV file as it came
  pack       text,
  version    bigint not null default 1,               -- the ETag
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);
comment on table lookup_table is 'Tables that notification templates look values up in.';

create table lookup_table_history (
  lookup_table_id uuid not null,
  version         bigint not null,
  action          text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at              timestamptz not null,
  by              text not null,
  name            text not null,
  definition      jsonb not null,
  pack            text,
  primary key (lookup_table_id, version)
);

create table notification_template (
  id         uuid primary key,                        -- made of the name
  name       text not null unique,                    -- the id that people see; rules name it
  definition jsonb not null,                          -- as the API and rules files write it
  pack       text,                                    -- the pack it came with
  version    bigint not null default 1,               -- the ETag
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);
comment on table notification_template is 'What notifications look like; beside the built-in templates, or in their place.';

-- One row for each version, the present one included; stays when the template is deleted.
create table notification_template_history (
  notification_template_id uuid not null,
  version                  bigint not null,
  action                   text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at                       timestamptz not null,
  by                       text not null,
  name                     text not null,
  definition               jsonb not null,
  pack                     text,
  primary key (notification_template_id, version)
);

create table notification_target (
  id         uuid primary key,
  name       text not null,
  definition jsonb not null,                          -- as the API and rules files write it; secrets by name
  pack       text,
  version    bigint not null default 1,               -- the ETag
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  unique (name) deferrable initially deferred         -- an import may exchange names
);
comment on table notification_target is 'How receivers of notifications are reached.';

create table notification_target_history (
  notification_target_id uuid not null,
  version                bigint not null,
  action                 text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at                     timestamptz not null,
  by                     text not null,
  name                   text not null,
  definition             jsonb not null,
  pack                   text,
  primary key (notification_target_id, version)
);

create table notification_rule (
  id         uuid primary key,
  name       text not null,
  definition jsonb not null,                          -- as the API and rules files write it
  pack       text,
  version    bigint not null default 1,               -- the ETag
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  unique (name) deferrable initially deferred
);
comment on table notification_rule is 'Who gets which alerts, when, and in which form.';

create table notification_rule_history (
  notification_rule_id uuid not null,
  version              bigint not null,
  action               text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at                   timestamptz not null,
  by                   text not null,
  name                 text not null,
  definition           jsonb not null,
  pack                 text,
  primary key (notification_rule_id, version)
);

create table silence (
  id         uuid primary key,
  name       text not null unique,                    -- the id as text: silences have no names
  definition jsonb not null,                          -- as the API and rules files write it
  pack       text,
  version    bigint not null default 1,               -- the ETag
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);
comment on table silence is 'Times at which some alerts are not notified.';

create table silence_history (
  silence_id uuid not null,
  version    bigint not null,
  action     text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at         timestamptz not null,
  by         text not null,
  name       text not null,
  definition jsonb not null,
  pack       text,
  primary key (silence_id, version)
);

create trigger lookup_table_changed after insert or update or delete on lookup_table
  for each statement execute function notification_changed();
create trigger notification_template_changed after insert or update or delete on notification_template
  for each statement execute function notification_changed();
create trigger notification_target_changed after insert or update or delete on notification_target
  for each statement execute function notification_changed();
create trigger notification_rule_changed after insert or update or delete on notification_rule
  for each statement execute function notification_changed();
create trigger silence_changed after insert or update or delete on silence
  for each statement execute function notification_changed();
