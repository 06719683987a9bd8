-- Periods in which an object was unusual as a whole, with the metrics that carry its anomaly score.
create table unusual_period (
  object_id int not null references object on delete cascade,
  since     timestamptz not null,                      -- start of its first five minutes
  until     timestamptz not null,                      -- end of its last
  score     double precision not null,                 -- the highest
  keys      text[] not null,                           -- metrics that add most to the score, the one that adds most first
  began     timestamptz[] not null,                    -- when each of them first did what is new for it; NULL = it did more of the same
  primary key (object_id, since)
);
create index on unusual_period (until);
comment on table unusual_period is 'When objects were unusual as a whole, and by which metrics.';
