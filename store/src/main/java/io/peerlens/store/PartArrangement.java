package io.peerlens.store;

import io.peerlens.database.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Number of parts in which samples are rolled up. When it changes, all new parts begin where the
 * last of the old ones was: some buckets are computed twice, and none is left out.
 */
final class PartArrangement {

  private static final String IN_FORCE =
      "select count(*) as rows, count(*) filter (where parts = :parts) as fitting from level_part";
  private static final String LOCK_LEVELS =
      "select level from level_state order by level for update";
  private static final String RETURN_NOTES =
      "update rollup_dirty set part = null where part is not null";

  /** As far as each level is rolled up whole; what is further on is done again. */
  private static final String MARKS =
      """
      insert into level_part (level, part, parts, rolled_until)
      select l.level, p.part, :parts, l.rolled_until
      from level_state l cross join generate_series(0, :parts - 1) p(part)
      where l.level <> 'raw'
      """;

  private PartArrangement() {}

  /** Sees to it that there are so many parts; none where levels are not split. */
  static void ensure(DataSource dataSource, List<Level> levels, int parts) throws SQLException {
    int rows = parts == 1 ? 0 : parts * levels.size();
    if (!isInForce(JdbcClient.create(dataSource), parts, rows)) {
      Transactions.run(
          dataSource,
          connection -> {
            arrange(connection, parts, rows);
            return null;
          });
    }
  }

  private static boolean isInForce(JdbcClient jdbc, int parts, int rows) {
    return jdbc.sql(IN_FORCE)
        .param("parts", parts)
        .query((row, number) -> row.getInt("rows") == rows && row.getInt("fitting") == rows)
        .single();
  }

  private static void arrange(Connection connection, int parts, int rows) {
    JdbcClient jdbc = Transactions.on(connection);
    jdbc.sql(LOCK_LEVELS).query(String.class).list();
    if (isInForce(jdbc, parts, rows)) {
      return; // another node was quicker
    }
    jdbc.sql("delete from level_part").update();
    jdbc.sql(RETURN_NOTES).update();
    if (parts > 1) {
      jdbc.sql(MARKS).param("parts", parts).update();
    }
  }
}
