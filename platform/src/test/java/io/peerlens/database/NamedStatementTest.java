package io.peerlens.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class NamedStatementTest {

  /** What reached the driver: texts of statements and calls, in order. */
  private final List<String> calls = new ArrayList<>();

  private final PreparedStatement driver =
      fake(PreparedStatement.class, Map.of("executeUpdate", 3));
  private final Connection connection = fake(Connection.class, Map.of("prepareStatement", driver));

  private <T> T fake(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              String name = method.getName();
              if (!name.equals("unwrap")) {
                calls.add(name + (arguments == null ? "[]" : Arrays.toString(arguments)));
              }
              return answers.get(name);
            }));
  }

  private String plain(String sql) throws SQLException {
    calls.clear();
    new NamedStatement(connection, sql);
    assertThat(calls).hasSize(1);
    return calls.getFirst().replaceAll("^prepareStatement\\[(.*)]$", "$1");
  }

  @Test
  void aNameBecomesAPlaceOfTheDriver() throws SQLException {
    assertThat(plain("select :a, f(:bC_1) where x=:a")).isEqualTo("select ?, f(?) where x=?");
  }

  @Test
  void castsAndSlicesAreNoNames() throws SQLException {
    assertThat(plain("select :a::text[]::inet[], b::int, c[1:2], c[:a]"))
        .isEqualTo("select ?::text[]::inet[], b::int, c[1:2], c[?]");
  }

  @Test
  void textsInQuotesStayAsTheyAre() throws SQLException {
    String sql = "select 'at 10:30', 'it''s :a', '$1\\ ?', \"offset\" from t where x = ";
    assertThat(plain(sql + ":a")).isEqualTo(sql + "?");
  }

  @Test
  void operatorsOfJsonStayAsTheDriverWritesThem() throws SQLException {
    assertThat(plain("select tags ?? :a, tags ??| :b, tags @> :c::jsonb"))
        .isEqualTo("select tags ?? ?, tags ??| ?, tags @> ?::jsonb");
  }

  @Test
  void aNameThatOccursTwiceIsSetAtBothPlaces() throws SQLException {
    NamedStatement statement = new NamedStatement(connection, "select :a, :b, :a");
    calls.clear();
    statement.set("a", "x").set("b", 7L);
    assertThat(calls).containsExactly("setObject[1, x]", "setObject[3, x]", "setObject[2, 7]");
  }

  @Test
  void nullKeepsTheTypeOfItsColumn() throws SQLException {
    NamedStatement statement = new NamedStatement(connection, "select :a");
    calls.clear();
    statement
        .set("a", (String) null)
        .set("a", (UUID) null)
        .set("a", (Instant) null)
        .set("a", (Integer) null)
        .set("a", (Long) null)
        .set("a", (Double) null)
        .set("a", (byte[]) null)
        .set("a", (long[]) null)
        .set("a", "text", null)
        .json("a", null);
    assertThat(calls)
        .containsExactlyElementsOf(
            List.of(
                    Types.VARCHAR,
                    Types.OTHER,
                    Types.TIMESTAMP_WITH_TIMEZONE,
                    Types.INTEGER,
                    Types.BIGINT,
                    Types.DOUBLE,
                    Types.BINARY,
                    Types.ARRAY,
                    Types.ARRAY,
                    Types.VARCHAR)
                .stream()
                .map(type -> "setNull[1, " + type + "]")
                .toList());
  }

  @Test
  void aMomentIsSetAsATimeWithItsZone() throws SQLException {
    NamedStatement statement = new NamedStatement(connection, "select :a");
    calls.clear();
    statement.set("a", Instant.parse("2026-11-21T12:00:00.000001Z"));
    assertThat(calls)
        .containsExactly(
            "setObject[1, " + OffsetDateTime.parse("2026-11-21T12:00:00.000001Z") + "]");
  }

  @Test
  void anUnknownNameIsAnError() throws SQLException {
    NamedStatement statement = new NamedStatement(connection, "select :a, ':b', c::b");
    assertThatThrownBy(() -> statement.set("b", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The statement has no parameter :b");
  }

  @Test
  void rowsGoTogetherAndAnEmptyBatchIsNotSent() throws SQLException {
    NamedStatement statement = new NamedStatement(connection, "insert into t values (:a, :b)");
    calls.clear();
    statement.run();
    statement.set("a", 1);
    statement.set("b", 2).add();
    statement.set("b", 3).add();
    assertThat(statement.size()).isEqualTo(2);
    statement.run();
    statement.run();
    assertThat(statement.size()).isZero();
    assertThat(calls)
        .containsExactly(
            "setObject[1, 1]",
            "setObject[2, 2]",
            "addBatch[]",
            "setObject[2, 3]",
            "addBatch[]",
            "executeBatch[]");
  }

  @Test
  void aStatementRunsAtOnceAndAnswersHowManyRowsItWrote() throws SQLException {
    try (NamedStatement statement = new NamedStatement(connection, "update t set a = :a")) {
      calls.clear();
      assertThat(statement.set("a", true).update()).isEqualTo(3);
    }
    assertThat(calls).containsExactly("setObject[1, true]", "executeUpdate[]", "close[]");
  }
}
