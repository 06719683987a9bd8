-- Roll-ups in parts: several nodes roll up one level at once, each the sets of a part.
create table level_part (
  level        text not null check (level in ('5m', '1h')),
  part         int not null check (part >= 0),
  parts        int not null check (parts > part),
  rolled_until timestamptz,                            -- every bucket of its sets that begins before is rolled up; NULL = none yet
  primary key (level, part)
);
comment on table level_part is 'How far each part of a level is rolled up: the sets whose id modulo parts is part. No rows = levels are not split. level_state.rolled_until is what all parts have reached.';

alter table rollup_dirty add column part int;          -- NULL = all parts

-- Their places are taken by the tasks roll-up-part and learning-part, one for each part.
delete from scheduled_tasks where task_name in ('roll-up', 'learning');
