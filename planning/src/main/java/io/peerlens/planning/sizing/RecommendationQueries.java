package io.peerlens.planning.sizing;

import static io.peerlens.database.Times.instant;
import static io.peerlens.database.Times.instantOrNull;
import static io.peerlens.database.Times.utc;

import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.Recommendation;
import io.peerlens.api.model.RecommendationCount;
import io.peerlens.api.model.RecommendationDecision;
import io.peerlens.api.model.RecommendationDetail;
import io.peerlens.api.model.RecommendationKind;
import io.peerlens.api.model.RecommendationOwnerCount;
import io.peerlens.api.model.RecommendationSort;
import io.peerlens.api.model.RecommendationState;
import io.peerlens.planning.sizing.Found.Evidence;
import io.peerlens.web.Page;
import io.peerlens.web.PageQueries;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** Lists and sums of recommendations. Thread-safe. */
final class RecommendationQueries {

  private static final JsonMapper JSON = JsonMapper.shared();

  /** What is ignored is open again after its time. */
  private static final String STATE =
      "case when r.decision = 'ignored' and r.ignored_until <= :now then 'open' else r.decision end";

  private static final String FROM =
      " from sizing_recommendation r join object o on o.id = r.object_id where true";

  private static final String SELECT =
      "select r.*, %s as state, o.uuid, o.adapter_kind, o.object_kind, o.name".formatted(STATE);

  private static final String BELOW =
      """
       and %s in (
        with recursive below(id) as (
          select id from object where uuid = :ancestor
          union
          select x.child_id from below b join relation x on x.parent_id = b.id)
        select id from below)
      """;

  private static final PageQueries.Order USUAL = new PageQueries.Order("r.place", "float8", false);

  /** What gives back disk space alone comes after what gives back more than that. */
  private static final String WEIGHT =
      "abs(coalesce(r.vcpus, 0)) * 4 + abs(coalesce(r.memory_gb, 0)) + coalesce(r.disk_gb, 0) / 1e9";

  private final JdbcClient jdbc;

  RecommendationQueries(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Which recommendations; several values of one filter are alternatives, and empty = all.
   *
   * @param ancestor only of objects below it; null = all
   * @param owners an empty text is no owner
   * @param states what was decided
   * @param q text in a name; null = any
   */
  record Filter(
      List<RecommendationKind> kinds,
      @Nullable UUID ancestor,
      List<String> owners,
      List<RecommendationState> states,
      @Nullable String q) {

    /** Those that the figures are about. */
    static Filter inForce(@Nullable UUID ancestor, List<String> owners) {
      return new Filter(
          List.of(),
          ancestor,
          owners,
          List.of(RecommendationState.OPEN, RecommendationState.APPROVED),
          null);
    }
  }

  private static PageQueries.Where where(Filter filter, Instant now) {
    StringBuilder sql = new StringBuilder();
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("now", utc(now));
    if (!filter.kinds().isEmpty()) {
      sql.append(" and r.kind = any (:kinds)");
      parameters.put(
          "kinds",
          filter.kinds().stream().map(RecommendationKind::getValue).toArray(String[]::new));
    }
    if (!filter.states().isEmpty()) {
      sql.append(" and ").append(STATE).append(" = any (:states)");
      parameters.put(
          "states",
          filter.states().stream().map(RecommendationState::getValue).toArray(String[]::new));
    }
    if (filter.q() != null) {
      sql.append(
          " and (position(lower(:q) in lower(o.name)) > 0 or position(lower(:q) in lower(coalesce(r.label, ''))) > 0)");
      parameters.put("q", filter.q());
    }
    scope(filter, "r", sql, parameters);
    return new PageQueries.Where(sql.isEmpty() ? " and true" : sql.toString(), parameters);
  }

  private static void scope(
      Filter filter, String table, StringBuilder sql, Map<String, Object> parameters) {
    UUID ancestor = filter.ancestor();
    if (ancestor != null) {
      sql.append(BELOW.formatted(table + ".object_id"));
      parameters.put("ancestor", ancestor);
    }
    if (!filter.owners().isEmpty()) {
      sql.append(" and coalesce(" + table + ".owner, '') = any (:owners)");
      parameters.put("owners", filter.owners().toArray(String[]::new));
    }
  }

  /** One page. */
  Page<Recommendation> page(
      Filter filter,
      @Nullable RecommendationSort sort,
      int limit,
      @Nullable String cursor,
      Instant now) {
    record Row(Recommendation shown, long number) {}
    return new PageQueries(SELECT, FROM, "r.number")
        .page(
            jdbc,
            where(filter, now),
            order(sort),
            "recommendations " + filter + sort,
            limit,
            cursor,
            row -> new Row(recommendation(row), row.getLong("number")),
            Row::number)
        .map(Row::shown);
  }

  private static PageQueries.Order order(@Nullable RecommendationSort sort) {
    if (sort == null) {
      return USUAL;
    }
    boolean down = sort.getValue().startsWith("-");
    return switch (sort) {
      case NAME, _NAME -> new PageQueries.Order("lower(o.name)", "text", down);
      case GIVES_BACK, _GIVES_BACK -> new PageQueries.Order(WEIGHT, "float8", down);
      case REGRET, _REGRET -> new PageQueries.Order("coalesce(r.regret, -1)", "float8", down);
    };
  }

  /** One recommendation with its evidence, but without tickets. */
  Optional<RecommendationDetail> find(UUID id, Instant now) {
    return jdbc.sql(SELECT + FROM + " and r.id = :id")
        .param("id", id)
        .param("now", utc(now))
        .query((row, number) -> detail(row))
        .optional();
  }

  /** Decisions on some recommendations. */
  Map<UUID, Recommendation> find(List<UUID> ids, Instant now) {
    Map<UUID, Recommendation> found = new HashMap<>();
    jdbc.sql(SELECT + FROM + " and r.id = any (:ids)")
        .param("ids", ids.toArray(UUID[]::new))
        .param("now", utc(now))
        .query(
            row -> {
              Recommendation one = recommendation(row);
              found.put(one.getId(), one);
            });
    return found;
  }

  private static RecommendationDetail detail(ResultSet row) throws SQLException {
    Evidence evidence = evidence(row);
    return new RecommendationDetail(
        recommendation(row, evidence),
        evidence.series(),
        evidence.sizing(),
        evidence.other(),
        evidence.idleness(),
        evidence.growthGbPerDay(),
        List.of());
  }

  private static Evidence evidence(ResultSet row) throws SQLException {
    return JSON.readValue(row.getString("evidence"), Evidence.class);
  }

  private static Recommendation recommendation(ResultSet row) throws SQLException {
    return recommendation(row, evidence(row));
  }

  private static Recommendation recommendation(ResultSet row, Evidence evidence)
      throws SQLException {
    String subject = row.getString("subject");
    boolean sized = subject.equals(Found.CPU) || subject.equals(Found.MEMORY);
    return new Recommendation(
        row.getObject("id", UUID.class),
        RecommendationKind.fromValue(row.getString("kind")),
        new ObjectRef(
            row.getObject("uuid", UUID.class),
            row.getString("adapter_kind"),
            row.getString("object_kind"),
            row.getString("name")),
        sized ? Recommendation.ResourceEnum.fromValue(subject) : null,
        row.getString("label"),
        evidence.unit() == null ? null : Recommendation.UnitEnum.fromValue(evidence.unit()),
        number(row, "size_now"),
        number(row, "size"),
        evidence.p50(),
        evidence.p95(),
        evidence.p99(),
        number(row, "regret"),
        evidence.regretNow(),
        number(row, "vcpus"),
        number(row, "memory_gb"),
        number(row, "disk_gb"),
        evidence.ageDays(),
        evidence.proof(),
        evidence.reason(),
        row.getString("owner"),
        decision(row),
        instant(row, "first_seen_at"));
  }

  private static RecommendationDecision decision(ResultSet row) throws SQLException {
    return new RecommendationDecision(
        RecommendationState.fromValue(row.getString("state")),
        row.getString("decided_by"),
        instantOrNull(row, "decided_at"),
        instantOrNull(row, "ignored_until"),
        row.getString("note"));
  }

  private static @Nullable Double number(ResultSet row, String column) throws SQLException {
    double value = row.getDouble(column);
    return row.wasNull() ? null : value;
  }

  /**
   * How many of each kind are in force, and what they give back; kinds without any are left out.
   */
  List<RecommendationCount> counts(Filter filter, Instant now) {
    PageQueries.Where where = where(filter, now);
    return jdbc.sql(
            """
            select r.kind, count(*) as n, count(*) filter (where r.decision = 'approved') as approved, count(distinct r.object_id) filter (where r.subject <> 'disk') as machines,
              coalesce(sum(r.vcpus), 0) as vcpus, coalesce(sum(r.memory_gb), 0) as memory_gb, coalesce(sum(r.disk_gb), 0) as disk_gb
            """
                + FROM
                + where.sql()
                + " group by r.kind")
        .params(where.parameters())
        .query(
            (row, at) ->
                new RecommendationCount(
                    RecommendationKind.fromValue(row.getString("kind")),
                    row.getLong("n"),
                    row.getLong("approved"),
                    row.getLong("machines"),
                    row.getDouble("vcpus"),
                    row.getDouble("memory_gb"),
                    row.getDouble("disk_gb"),
                    null))
        .list();
  }

  /**
   * Sums over machines and recommendations.
   *
   * @param regret hours a week of all that is too large; null = nothing is
   */
  record Sums(
      long machines, double vcpus, double memoryGb, long ignored, @Nullable Double regret) {}

  Sums sums(Filter filter, Instant now) {
    StringBuilder machines = new StringBuilder();
    Map<String, Object> parameters = new HashMap<>();
    scope(filter, "s", machines, parameters);
    StringBuilder own = new StringBuilder();
    scope(filter, "r", own, new HashMap<>());
    parameters.put("now", utc(now));
    return jdbc.sql(
            """
            select m.*, f.* from
              (select count(*) as n, coalesce(sum(s.vcpus), 0) as vcpus, coalesce(sum(s.memory_gb), 0) as memory_gb
               from sizing_result s join object o on o.id = s.object_id where o.object_kind = 'VirtualMachine' %s) m,
              (select count(*) filter (where %s = 'ignored') as ignored,
                 sum(r.regret) filter (where r.kind = 'too-large' and %s in ('open', 'approved')) as regret
               from sizing_recommendation r where true %s) f
            """
                .formatted(machines, STATE, STATE, own))
        .params(parameters)
        .query(
            (row, at) ->
                new Sums(
                    row.getLong("n"),
                    row.getDouble("vcpus"),
                    row.getDouble("memory_gb"),
                    row.getLong("ignored"),
                    number(row, "regret")))
        .single();
  }

  /** Owners with something in force, by name. */
  List<RecommendationOwnerCount> owners(Filter filter, Instant now) {
    PageQueries.Where where = where(filter, now);
    return new ArrayList<>(
        jdbc.sql(
                "select r.owner, count(*) as n"
                    + FROM
                    + where.sql()
                    + " group by r.owner order by r.owner nulls last limit 1000")
            .params(where.parameters())
            .query(
                (row, at) -> new RecommendationOwnerCount(row.getString("owner"), row.getLong("n")))
            .list());
  }
}
