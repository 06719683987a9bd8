-- Metrics that are made of flows.

-- Since when and until when an object talked, with breaks of a day at most. Where it was silent in between, and for a day
-- after, its flow metrics are 0; before and later it has none.
create table flow_talk (
  object_id    int primary key references object on delete cascade,
  covered_from timestamptz not null,                  -- begin of the first bucket
  talked_at    timestamptz not null                   -- begin of the last bucket with traffic
) with (fillfactor = 50);
create index flow_talk_at on flow_talk (talked_at);
