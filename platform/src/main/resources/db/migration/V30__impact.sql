-- Changes that people or programs record. They are changes of objects like those that collectors show
-- (key = their sort, new_value = their title), so they are seen wherever changes are; what else is
-- known of them is here.

alter table object_change drop constraint object_change_kind_check;
alter table object_change add constraint object_change_kind_check
  check (kind in ('new', 'name', 'property', 'tag', 'placement', 'recorded'));

create table recorded_change (
  change_id bigint primary key references object_change on delete cascade,
  until     timestamptz,                    -- NULL = it was done at once
  author    text not null,                  -- name of the token
  note      text,
  goal      text,                           -- NULL = none was named
  metrics   text[] not null default '{}'
);
