-- What a source is, as it said itself when it was last read: product, version and build.

create table source_about (
  source_id  uuid primary key references source on delete cascade,
  about      text not null,
  updated_at timestamptz not null                     -- when it first said so
);
