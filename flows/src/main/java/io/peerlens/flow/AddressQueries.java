package io.peerlens.flow;

import io.peerlens.flow.network.AddressBook;
import io.peerlens.flow.network.Addresses;
import io.peerlens.web.NamePattern;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Addresses of objects, now and lately: from the properties, tags and names of the inventory and
 * from the history of their changes.
 *
 * <p>What an object says now holds since it last changed, or always when it did not; what it said
 * before holds until then. An object that stopped reporting keeps its addresses until another one
 * says that it has them, and one that its source removed until then.
 */
final class AddressQueries {

  /**
   * The kind of objects that are nothing but an address. They own none: they are the last resort.
   */
  static final String ADAPTER_KIND = "Peerlens";

  static final String OBJECT_KIND = "IpAddress";

  private static final String NOW =
      """
      select o.id, o.object_kind, a.kind, a.key, a.value,
             (extract(epoch from o.removed_at) * 1000)::bigint as removed_millis
      from object o cross join lateral (
        select 'property' as kind, key, value from jsonb_each_text(o.properties)
        union all
        select 'tag', key, value from jsonb_each_text(o.tags)
        union all
        select 'name', 'name', o.name) as a
      where a.key like any (:keys) and (a.kind = 'name') = (a.key = 'name')
        and (o.adapter_kind, o.object_kind) <> (:addressAdapter, :addressKind)
        and (o.removed_at is null or o.removed_at >= :since)
      """;
  private static final String CHANGES =
      """
      select object_id, kind, coalesce(key, 'name') as key,
             (extract(epoch from time) * 1000)::bigint as millis, old_value
      from object_change
      where time >= :since and kind in ('property', 'tag', 'name')
        and coalesce(key, 'name') like any (:keys)
      order by time, id
      """;
  private static final String VERSION = "select version from inventory_version";

  /** Characters between the addresses of one value, or around them. */
  private static final Pattern BETWEEN = Pattern.compile("[\\s,;\\[\\]\"'(){}|]+");

  private record Attribute(int objectId, String kind, String key) {}

  private record Change(long millis, @Nullable String before) {}

  private final JdbcClient jdbc;
  private final String[] keys;

  /**
   * @param patterns names of properties and tags, * stands for any characters; {@code name} is the
   *     object's name
   */
  AddressQueries(JdbcClient jdbc, List<String> patterns) {
    this.jdbc = jdbc;
    keys = patterns.stream().map(NamePattern::like).toArray(String[]::new);
  }

  /** Goes up whenever {@link #read} may answer something else; read it first. */
  long version() {
    return jdbc.sql(VERSION).query(Long.class).single();
  }

  /**
   * All addresses.
   *
   * @param lately how far back changes matter: flows that are older are not taken in
   */
  AddressBook read(Instant now, Duration lately) {
    Map<Attribute, List<Change>> changes = changes(now.minus(lately));
    AddressBook.Builder book = new AddressBook.Builder();
    Addresses address = new Addresses();
    jdbc.sql(NOW)
        .param("keys", keys)
        .param("since", now.minus(lately).atOffset(ZoneOffset.UTC))
        .param("addressAdapter", ADAPTER_KIND)
        .param("addressKind", OBJECT_KIND)
        .query(
            row -> {
              int objectId = row.getInt(1);
              AddressBook.Kind kind = kind(row.getString(2));
              long from = Long.MIN_VALUE;
              long removed = row.getLong(6);
              long to = row.wasNull() ? Long.MAX_VALUE : removed;
              List<Change> ofAttribute =
                  changes.getOrDefault(
                      new Attribute(objectId, row.getString(3), row.getString(4)), List.of());
              for (Change change : ofAttribute) {
                add(
                    book,
                    address,
                    change.before,
                    objectId,
                    kind,
                    from,
                    Math.min(to, change.millis));
                from = change.millis;
              }
              add(book, address, row.getString(5), objectId, kind, from, to);
            });
    return book.build();
  }

  private Map<Attribute, List<Change>> changes(Instant since) {
    Map<Attribute, List<Change>> changes = new HashMap<>();
    jdbc.sql(CHANGES)
        .param("since", since.atOffset(ZoneOffset.UTC))
        .param("keys", keys)
        .query(
            row -> {
              changes
                  .computeIfAbsent(
                      new Attribute(row.getInt(1), row.getString(2), row.getString(3)),
                      attribute -> new ArrayList<>())
                  .add(new Change(row.getLong(4), row.getString(5)));
            });
    return changes;
  }

  private static AddressBook.Kind kind(String objectKind) {
    return switch (objectKind) {
      case "VirtualMachine" -> AddressBook.Kind.VM;
      case "HostSystem" -> AddressBook.Kind.HOST;
      default -> AddressBook.Kind.OTHER;
    };
  }

  /** Adds every address of a value; what is none is left out, such as a name that is a word. */
  private static void add(
      AddressBook.Builder book,
      Addresses address,
      @Nullable String value,
      int objectId,
      AddressBook.Kind kind,
      long from,
      long to) {
    if (value == null || to <= from) {
      return;
    }
    for (String part : BETWEEN.split(value)) {
      if (address.parse(bare(part))) {
        book.add(address.high(), address.low(), objectId, kind, from, to);
      }
    }
  }

  /** An address without the zone and the length of the prefix that some collectors put behind. */
  private static String bare(String part) {
    int end = part.length();
    for (char mark : new char[] {'/', '%'}) {
      int at = part.indexOf(mark);
      end = at >= 0 && at < end ? at : end;
    }
    return part.substring(0, end);
  }
}
