-- What is usual for every series, hour by hour of a day.

-- Bands of some sets of a metric group for a UTC day. A series is a position of a set: that of metric first_position + m and set
-- set_ids[i + 1] is element m * sets + i of every column below, so that what is known of one metric lies together.
create table learned_block (
  id             bigint generated always as identity primary key,
  group_id       int not null references metric_group on delete cascade,
  day            timestamptz not null,                  -- its begin
  first_position int not null,                          -- from 0, as in metric_group.metrics
  width          int not null,                          -- metrics
  sets           int not null,
  set_ids        int[] not null,                        -- ascending
  empty_ids      int[] not null,                        -- sets without any value in the hours that were learned from, ascending
  state          bytea not null,                        -- a byte each: 0 = no values, 1 = learning, 2 = learned, 3 = few-valued, 4 = constant
  days           bytea not null,                        -- a byte each: whole days between the first and the last hour learned from
  spread         bytea not null,                        -- float4 each, big-endian; NaN = nothing learned
  learning       int not null,                          -- series by state
  learned        int not null,
  few_valued     int not null,
  constant       int not null,
  computed_at    timestamptz not null,
  since          timestamptz not null                   -- ticks from then on use it
);
create index learned_block_day on learned_block (day, group_id);
comment on table learned_block is 'What is usual for series on a day: state and spread; the bounds are in learned_band.';

-- Bounds of the series of a block in one hour, before any margin: float4 each, big-endian; NaN = none. A block in which
-- nothing is learned has none of these rows.
create table learned_band (
  block_id bigint not null references learned_block on delete cascade,
  hour     smallint not null check (hour between 0 and 23), -- of the UTC day
  lower    bytea not null,
  upper    bytea not null,
  primary key (block_id, hour)
);
comment on table learned_band is 'Learned bounds, an hour of a block in a row.';
