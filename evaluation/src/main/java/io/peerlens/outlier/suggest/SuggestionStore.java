package io.peerlens.outlier.suggest;

import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.api.model.OutlierSuggestionKind;
import io.peerlens.database.Rows;
import io.peerlens.definition.Definitions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** The groups that were suggested last, and those that nobody wants to see. */
public final class SuggestionStore {

  private static final String ALL =
      """
      select id, kind, reason, correlation, members, definition from outlier_suggestion s
      where not exists (select from outlier_suggestion_dismissed d where d.id = s.id) order by place
      """;

  private static final String WRITE =
      """
      insert into outlier_suggestion (id, kind, place, reason, correlation, members, definition)
      values (:id, :kind, :place, :reason, :correlation, :members, :definition::jsonb)
      """;

  private static final String DISMISS =
      """
      insert into outlier_suggestion_dismissed (id, members, by, at)
      select id, members, :by, :at from outlier_suggestion where id = :id
      on conflict (id) do nothing
      """;

  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  public SuggestionStore(JdbcClient jdbc, TransactionTemplate transaction) {
    this.jdbc = jdbc;
    this.transaction = transaction;
  }

  /** Those that are shown, the best first. */
  List<Suggestion> all() {
    return jdbc.sql(ALL).query((row, number) -> suggested(row)).list();
  }

  private static Suggestion suggested(ResultSet row) throws SQLException {
    double correlation = row.getDouble("correlation");
    boolean asked = !row.wasNull();
    return new Suggestion(
        row.getObject("id", UUID.class),
        OutlierSuggestionKind.fromValue(row.getString("kind")),
        row.getString("reason"),
        Rows.ints(row, "members"),
        asked ? correlation : null,
        Definitions.read(row.getString("definition"), OutlierGroupEdit.class));
  }

  /** A suggestion that was shown or dismissed. */
  record Known(UUID id, int[] members) {}

  /** All of them, dismissed ones too, so that what is found again keeps its id. */
  List<Known> known() {
    return jdbc.sql(
            """
            select id, members from outlier_suggestion_dismissed
            union all select id, members from outlier_suggestion
            """)
        .query(
            (row, number) -> new Known(row.getObject("id", UUID.class), Rows.ints(row, "members")))
        .list();
  }

  /**
   * Run of the finder that computed the stored suggestions.
   *
   * @param at null = not yet
   * @param objects how many objects there were
   */
  record Run(@Nullable Instant at, long objects) {}

  Run run() {
    return jdbc.sql("select computed_at, objects from outlier_suggestion_run")
        .query((row, number) -> new Run(instantOrNull(row, "computed_at"), row.getLong("objects")))
        .single();
  }

  long objects() {
    return jdbc.sql("select count(*) from object where removed_at is null")
        .query(Long.class)
        .single();
  }

  /** Puts others in the place of all. */
  void replace(List<Suggestion> suggestions, Run run) {
    transaction.executeWithoutResult(
        status -> {
          jdbc.sql("delete from outlier_suggestion").update();
          for (int i = 0; i < suggestions.size(); i++) {
            Suggestion one = suggestions.get(i);
            jdbc.sql(WRITE)
                .param("id", one.id())
                .param("kind", one.kind().getValue())
                .param("place", i)
                .param("reason", one.reason())
                .param("correlation", one.correlation(), Types.DOUBLE)
                .param("members", Arrays.stream(one.members()).boxed().toArray(Integer[]::new))
                .param("definition", Definitions.write(one.group()))
                .update();
          }
          jdbc.sql("update outlier_suggestion_run set computed_at = :at, objects = :objects")
              .param("at", utc(Optional.ofNullable(run.at()).orElseThrow()))
              .param("objects", run.objects())
              .update();
        });
  }

  /** Hides one for good; false = it is not known. */
  boolean dismiss(UUID id, String by, Instant at) {
    return jdbc.sql(DISMISS).param("id", id).param("by", by).param("at", utc(at)).update() > 0
        || jdbc.sql("select count(*) from outlier_suggestion_dismissed where id = :id")
                .param("id", id)
                .query(Integer.class)
                .single()
            > 0;
  }
}
