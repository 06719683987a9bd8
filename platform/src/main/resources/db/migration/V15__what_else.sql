-- What else there is to know of symptoms and alerts.

alter table symptom
  add column unknown boolean not null default false;  -- nothing is known of the value now; what stands here was the last

alter table alert
  add column around jsonb;                            -- what else went on near it when it was explained last; NULL = nothing

-- Groups are stored as other rules are, with their earlier versions.
alter table object_group
  add column definition jsonb,                        -- as the API and rules files write it
  add column pack text;                               -- the pack it came with
update object_group set definition = jsonb_strip_nulls(
  jsonb_build_object('name', name, 'description', description, 'scope', scope));
alter table object_group
  alter column definition set not null,
  drop column description,
  drop column scope;

create table object_group_history (
  object_group_id uuid not null,
  version         bigint not null,
  action          text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at              timestamptz not null,
  by              text not null,
  name            text not null,
  definition      jsonb not null,
  pack            text,
  primary key (object_group_id, version)
);
insert into object_group_history (object_group_id, version, action, at, by, name, definition)
select id, version, case version when 1 then 'created' else 'changed' end, updated_at, updated_by, name, definition
from object_group;
