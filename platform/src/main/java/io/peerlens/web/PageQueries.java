package io.peerlens.web;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Pager of lists in the database, sorted by a column and then by a number, of which the greatest is
 * the newest: what comes or goes between two pages shifts nothing.
 *
 * @param select what is read, from {@code select} on
 * @param from where from, from {@code from} up to {@code where}
 * @param number the number of an item, in SQL
 */
public record PageQueries(String select, String from, String number) {

  /**
   * Sort order of a list.
   *
   * @param column in SQL; never null
   * @param type of the column
   */
  public record Order(String column, String type, boolean down) {

    private String after(String number) {
      return " and (%1$s %2$s :key::%3$s or %1$s = :key::%3$s and %4$s < :number)"
          .formatted(column, down ? "<" : ">", type, number);
    }

    private String orderBy(String number) {
      return " order by " + column + (down ? " desc" : "") + ", " + number + " desc";
    }
  }

  /**
   * A condition.
   *
   * @param sql never empty
   * @param parameters none of the names {@code key} and {@code number}
   */
  public record Where(String sql, Map<String, Object> parameters) {}

  /** Reader of one item. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private record Keyed<T>(T item, String key) {}

  /**
   * One page.
   *
   * @param scope filters and order in any fixed spelling
   * @param cursor null = the first page
   */
  public <T> Page<T> page(
      JdbcClient jdbc,
      Where where,
      Order order,
      String scope,
      int limit,
      @Nullable String cursor,
      Reader<T> reader,
      ToLongFunction<T> numberOf) {
    Map<String, Object> parameters = new HashMap<>(where.parameters());
    long total =
        jdbc.sql("select count(*)" + from + where.sql())
            .params(parameters)
            .query(Long.class)
            .single();
    String sql = select + ", (" + order.column() + ")::text as sort_key" + from + where.sql();
    if (cursor != null) {
      List<String> keys = Cursor.keys(cursor, scope, 2);
      sql += order.after(number);
      parameters.put("key", keys.getFirst());
      parameters.put("number", Long.parseLong(keys.getLast()));
    }
    List<Keyed<T>> rows =
        jdbc.sql(sql + order.orderBy(number) + " limit " + (limit + 1))
            .params(parameters)
            .query((row, at) -> new Keyed<>(reader.read(row), row.getString("sort_key")))
            .list();
    return Page.cut(
            rows,
            row -> new String[] {row.key(), Long.toString(numberOf.applyAsLong(row.item()))},
            scope,
            limit,
            total)
        .map(Keyed::item);
  }
}
