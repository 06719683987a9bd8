package io.peerlens.flow;

import io.peerlens.flow.network.Cidr;
import io.peerlens.flow.network.Network;
import io.peerlens.flow.network.NetworksFile;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** Store of the named networks as the user wrote them, in all versions. */
final class NetworkStore {

  private static final String COLUMNS =
      """
      select version, format, text, networks, changed_at, changed_by from flow_networks_version
      """;
  private static final String NEWEST = COLUMNS + "order by version desc limit 1";
  private static final String ONE = COLUMNS + "where version = :version";
  private static final String HISTORY =
      COLUMNS + "where version < :before order by version desc limit :limit";
  private static final String COUNT = "select count(*) from flow_networks_version";
  private static final String NEWEST_NUMBER =
      "select coalesce(max(version), 0) from flow_networks_version";
  private static final String LOCK = "select pg_advisory_xact_lock(hashtext('peerlens networks'))";
  private static final String INSERT =
      """
      insert into flow_networks_version (format, text, networks, definition, changed_at, changed_by)
      values (:format, :text, :networks, :definition::jsonb, :at, :by) returning version
      """;
  private static final String NAMES =
      """
      insert into flow_network (name)
      select name from unnest(:names::text[]) as t(name)
      where not exists (select from flow_network n where n.name = t.name)
      on conflict do nothing
      """;

  /**
   * A version of the networks.
   *
   * @param number 0 = nobody defined any yet
   * @param text as the user wrote it
   * @param size how many networks it defines
   * @param changedAt null when nobody defined any
   */
  record Version(
      long number,
      NetworksFile.Format format,
      String text,
      int size,
      @Nullable Instant changedAt,
      String changedBy) {

    static final Version NONE = new Version(0, NetworksFile.Format.YAML, "", 0, null, "");

    /** The networks of this version, in the order of the text. */
    List<Network> networks() {
      return number == 0 ? List.of() : NetworksFile.parse(text, format);
    }
  }

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  NetworkStore(JdbcClient jdbc, TransactionTemplate transaction) {
    this.jdbc = jdbc;
    this.transaction = transaction;
  }

  /** The number of the newest version; 0 = there is none. */
  long newestNumber() {
    return jdbc.sql(NEWEST_NUMBER).query(Long.class).single();
  }

  /** The version that is in force; {@link Version#NONE} when nobody defined any. */
  Version newest() {
    return jdbc.sql(NEWEST).query(NetworkStore::version).optional().orElse(Version.NONE);
  }

  /** Any version that was ever in force. */
  Optional<Version> find(long version) {
    return jdbc.sql(ONE).param("version", version).query(NetworkStore::version).optional();
  }

  /** Counts the versions. */
  long count() {
    return jdbc.sql(COUNT).query(Long.class).single();
  }

  /** Versions before one, the newest first. */
  List<Version> history(long before, int limit) {
    return jdbc.sql(HISTORY)
        .param("before", before)
        .param("limit", limit)
        .query(NetworkStore::version)
        .list();
  }

  private static Version version(ResultSet row, int number) throws SQLException {
    return new Version(
        row.getLong(1),
        NetworksFile.Format.valueOf(row.getString(2).toUpperCase(Locale.ROOT)),
        row.getString(3),
        row.getInt(4),
        row.getObject(5, OffsetDateTime.class).toInstant(),
        row.getString(6));
  }

  /** The networks for those who read with SQL. */
  private static String definition(List<Network> networks) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Network network : networks) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", network.name());
      one.put("cidrs", network.cidrs().stream().map(Cidr::toString).toList());
      put(one, "internal", network.internal());
      put(one, "vlan", network.vlan());
      put(one, "site", network.site());
      put(one, "description", network.description());
      all.add(one);
    }
    return JsonMapper.shared().writeValueAsString(all);
  }

  private static void put(Map<String, Object> one, String key, @Nullable Object value) {
    if (value != null) {
      one.put(key, value);
    }
  }

  /**
   * Puts a new version in force.
   *
   * @param seen number of the version that the author saw
   * @return the new version's number; empty when another version came in between
   * @throws NetworksFile.NetworksException naming every mistake of the text
   */
  Optional<Long> save(
      String text, NetworksFile.Format format, long seen, String author, Instant now) {
    List<Network> networks = NetworksFile.parse(text, format);
    return Optional.ofNullable(
        transaction.execute(
            status -> {
              jdbc.sql(LOCK).query(row -> {});
              if (newestNumber() != seen) {
                return null;
              }
              jdbc.sql(NAMES)
                  .param("names", networks.stream().map(Network::name).toArray(String[]::new))
                  .update();
              return jdbc.sql(INSERT)
                  .param("format", format.name().toLowerCase(Locale.ROOT))
                  .param("text", text)
                  .param("networks", networks.size())
                  .param("definition", definition(networks))
                  .param("at", now.atOffset(ZoneOffset.UTC))
                  .param("by", author)
                  .query(Long.class)
                  .single();
            }));
  }
}
