package io.peerlens.flow;

import io.peerlens.ingest.flow.Network;
import io.peerlens.ingest.flow.NetworksFile;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** The named networks as the user wrote them, every version of them. */
final class NetworkStore {

  private static final String NEWEST =
      """
      select version, format, text from flow_networks_version order by version desc limit 1
      """;
  private static final String NEWEST_NUMBER =
      "select coalesce(max(version), 0) from flow_networks_version";
  private static final String LOCK = "select pg_advisory_xact_lock(hashtext('peerlens networks'))";
  private static final String INSERT =
      """
      insert into flow_networks_version (format, text, networks, changed_at, changed_by)
      values (:format, :text, :networks, :at, :by) returning version
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
   */
  record Version(long number, NetworksFile.Format format, String text) {

    static final Version NONE = new Version(0, NetworksFile.Format.YAML, "");

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
    return jdbc.sql(NEWEST)
        .query(
            (row, number) ->
                new Version(
                    row.getLong(1),
                    NetworksFile.Format.valueOf(row.getString(2).toUpperCase(Locale.ROOT)),
                    row.getString(3)))
        .optional()
        .orElse(Version.NONE);
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
                  .param("at", now.atOffset(ZoneOffset.UTC))
                  .param("by", author)
                  .query(Long.class)
                  .single();
            }));
  }
}
