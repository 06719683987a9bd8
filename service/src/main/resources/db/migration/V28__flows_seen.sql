-- When ends of flows and their observers were met last: to the hour for ends, which are many, to the minute for
-- observers.
alter table endpoint add column last_seen timestamptz not null default now();
alter table flow_observer add column last_seen timestamptz not null default now();
