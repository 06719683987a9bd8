package io.peerlens.dashboard;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.DashboardLink;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Store of public links: what each shows. Who may use one is a matter of its token. */
final class LinkStore {

  private static final String INSERT =
      "insert into dashboard_link (token_id, definition) values (:token, :definition::json)";

  /** Asked with every request of a link, so that one that has ended shows nothing more. */
  private static final String TERMS =
      """
      select l.definition::text from dashboard_link l join api_token t on t.id = l.token_id
      where l.token_id = :token and t.revoked_at is null and t.expires_at > :now
      """;

  private static final String END =
      "update api_token set revoked_at = :now where bound_to = any (:dashboards) and revoked_at is null";

  private static final String LIST =
      """
      select t.id, t.name, t.created_at, t.created_by, t.last_used_at, t.expires_at, t.start, l.definition::text as definition
      from api_token t join dashboard_link l on l.token_id = t.id
      where t.bound_to = :dashboard and t.revoked_at is null and t.expires_at > :now
        and exists (select from api_token m where m.name = t.created_by and m.role in ('operator', 'admin')
          and m.revoked_at is null and (m.expires_at is null or m.expires_at > :now))
      order by t.created_at desc, t.id
      """;

  private final JdbcClient jdbc;

  LinkStore(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insert(UUID token, LinkTerms terms) {
    jdbc.sql(INSERT)
        .param("token", token)
        .param("definition", Json.MAPPER.writeValueAsString(terms))
        .update();
  }

  /** Ends the links to dashboards that nobody else may read any more. */
  static void end(JdbcClient jdbc, Collection<UUID> dashboards, Instant now) {
    jdbc.sql(END)
        .param("dashboards", dashboards.toArray(UUID[]::new))
        .param("now", utc(now))
        .update();
  }

  /** What a link shows; empty = there is no such link in force. */
  Optional<LinkTerms> terms(UUID token, Instant now) {
    return jdbc.sql(TERMS)
        .param("token", token)
        .param("now", utc(now))
        .query(String.class)
        .optional()
        .map(LinkStore::terms);
  }

  private static LinkTerms terms(String stored) {
    return Json.MAPPER.readValue(stored, LinkTerms.class);
  }

  /** Links to a dashboard that are in force, the newest first. */
  List<DashboardLink> list(UUID dashboard, Instant now) {
    return jdbc.sql(LIST)
        .param("dashboard", dashboard)
        .param("now", utc(now))
        .query(LinkStore::link)
        .list();
  }

  private static DashboardLink link(ResultSet row, int number) throws SQLException {
    LinkTerms terms = terms(row.getString("definition"));
    return new DashboardLink(
        row.getObject("id", UUID.class),
        row.getString("name"),
        instant(row, "created_at"),
        row.getString("created_by"),
        instantOrNull(row, "last_used_at"),
        instant(row, "expires_at"),
        row.getString("start"),
        terms.variables(),
        terms.free());
  }
}
