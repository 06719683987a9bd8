package io.peerlens.alert;

import io.peerlens.api.model.Alert;
import io.peerlens.api.model.AlertMember;
import io.peerlens.api.model.Change;
import io.peerlens.api.model.RelatedSymptom;
import io.peerlens.api.model.RuleRef;
import io.peerlens.api.model.SymptomRelation;
import io.peerlens.database.Times;
import io.peerlens.ingest.key.MetricKey;
import io.peerlens.inventory.ChangeQueries;
import io.peerlens.supermetrics.formula.ObjectKind;
import io.peerlens.threshold.Condition;
import io.peerlens.words.MetricNameQueries;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Related alerts, changes and outliers near an alert. */
final class RelatedQueries {

  private static final int MOST = 100;
  private static final Duration AROUND = Duration.ofHours(1);

  /**
   * Siblings are objects of the same kind with a parent in common; each object counts once, as the
   * nearest it is.
   */
  private static final String NEAR =
      """
      with recursive subject as (
        select o.id, o.adapter_kind, o.object_kind from alert a join object o on o.id = a.object_id where a.id = :id),
      up(id, distance) as (
        select r.parent_id, 1 from relation r join subject s on r.child_id = s.id
        union
        select r.parent_id, u.distance + 1 from relation r join up u on r.child_id = u.id where u.distance < 12),
      near as (
        select id, min(rank) as rank from (
          select id, 0 as rank from subject
          union all select id, 1 from up where distance = 1
          union all select r.child_id, 2 from relation r join subject s on r.parent_id = s.id
          union all select id, 3 from up where distance > 1
          union all (
            select o.id, 4 from up u join relation r on r.parent_id = u.id and u.distance = 1
            join object o on o.id = r.child_id join subject s
              on (o.adapter_kind, o.object_kind) = (s.adapter_kind, s.object_kind)
            limit 5000)) all_of_them
        group by id)
      """;

  private static final String SYMPTOMS =
      NEAR
          + """
          select n.rank, s.threshold_id, t.name as threshold, t.definition -> 'condition' ->> 'key' as key,
            coalesce(t.definition -> 'condition' ->> 'operator', 'no-data')
              || case when t.definition #>> '{condition,levels,0,bound,type}' = 'learned' then '-usual' else '' end as operator, s.instance, s.severity, s.value,
            s.text, s.bound, s.upper, s.since, s.unknown, o.uuid, o.adapter_kind, o.object_kind, o.name
          from near n
          join symptom s on s.object_id = n.id and s.severity > 0
          join threshold t on t.id = s.threshold_id
          join object o on o.id = n.id
          order by n.rank, s.severity desc, s.since desc, s.threshold_id
          limit 500
          """;

  private static final String CHANGES =
      NEAR
          + """
          select c.object_id, c.time, c.kind, c.key, c.old_value, c.new_value, r.author, o.uuid, o.adapter_kind, o.object_kind, o.name
          from near n join object_change c on c.object_id = n.id join object o on o.id = n.id
            left join recorded_change r on r.change_id = c.id
          where n.rank <= 2 and c.time >= :from and c.time <= :to and c.kind <> 'reporting'
          """
          + ChangeQueries.ONCE
          + """
          order by c.time desc, c.id desc limit :limit
          """;

  private static final List<SymptomRelation> RELATIONS =
      List.of(
          SymptomRelation.SELF,
          SymptomRelation.PARENT,
          SymptomRelation.CHILD,
          SymptomRelation.ANCESTOR,
          SymptomRelation.SIBLING);

  private final JdbcClient jdbc;
  private final MetricNameQueries names;

  RelatedQueries(JdbcClient jdbc, MetricNameQueries names) {
    this.jdbc = jdbc;
    this.names = names;
  }

  private record Known(UUID threshold, UUID object, String key) {}

  /** Open symptoms near an alert that are no members of it. */
  List<RelatedSymptom> symptoms(Alert alert) {
    Set<Known> members = new HashSet<>();
    for (AlertMember member : alert.getMembers()) {
      members.add(
          new Known(member.getThreshold().getId(), member.getObject().getId(), member.getKey()));
    }
    return jdbc
        .sql(SYMPTOMS)
        .param("id", alert.getId())
        .query((row, number) -> symptom(row))
        .list()
        .stream()
        .filter(
            one ->
                !members.contains(
                    new Known(
                        one.getSymptom().getThreshold().getId(),
                        one.getSymptom().getObject().getId(),
                        one.getSymptom().getKey())))
        .limit(MOST)
        .peek(one -> one.getSymptom().setUnit(unit(one.getSymptom())))
        .toList();
  }

  private @Nullable String unit(AlertMember symptom) {
    return symptom.getText() != null
        ? null
        : symptom.getOperator().equals(Condition.NO_DATA)
            ? "s"
            : names.unit(
                new ObjectKind(
                    symptom.getObject().getAdapterKind(), symptom.getObject().getObjectKind()),
                symptom.getKey());
  }

  private static RelatedSymptom symptom(ResultSet row) throws SQLException {
    String instance = row.getString("instance");
    return new RelatedSymptom(
        RELATIONS.get(row.getInt("rank")),
        new AlertMember(
            new RuleRef(row.getObject("threshold_id", UUID.class), row.getString("threshold")),
            AlertQueries.object(row),
            instance.isEmpty() ? null : MetricKey.parse(instance).instance(),
            instance.isEmpty() ? row.getString("key") : instance,
            null,
            AlertQueries.severity(row.getInt("severity")),
            AlertQueries.number(row, "value"),
            row.getString("text"),
            row.getString("operator"),
            AlertQueries.number(row, "bound"),
            AlertQueries.number(row, "upper"),
            Objects.requireNonNull(Times.instant(row, "since")),
            row.getBoolean("unknown")));
  }

  /** What changed on the object, its parents and its children around the start of an alert. */
  List<Change> changes(Alert alert) {
    Instant since = alert.getSince();
    return jdbc.sql(CHANGES)
        .param("id", alert.getId())
        .param("from", since.minus(AROUND).atOffset(ZoneOffset.UTC))
        .param("to", since.plus(AROUND).atOffset(ZoneOffset.UTC))
        .param("limit", MOST)
        .query(
            (row, number) ->
                AlertQueries.change(
                    new StoredChange(
                        row.getInt("object_id"),
                        Objects.requireNonNull(Times.instant(row, "time")),
                        row.getString("kind"),
                        row.getString("key"),
                        row.getString("old_value"),
                        row.getString("new_value"),
                        row.getString("author")),
                    AlertQueries.object(row)))
        .list();
  }
}
