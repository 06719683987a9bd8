package io.peerlens.suiteapi;

import io.peerlens.api.SuperMetricsApi;
import io.peerlens.api.model.SuperMetric;
import io.peerlens.api.model.SuperMetricCreation;
import io.peerlens.api.model.SuperMetricEdit;
import io.peerlens.api.model.SuperMetricSort;
import io.peerlens.audit.AuditedWork;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** Super metrics: read, created, changed and deleted. Their object kinds stay as they are. */
final class SuperMetricOperations {

  private static final int MOST = 10_000;

  /** Clients of this API know no versions. */
  private static final String ANY_VERSION = "*";

  private final SuperMetricsApi superMetrics;
  private final AuditedWork audit;

  SuperMetricOperations(SuperMetricsApi superMetrics, AuditedWork audit) {
    this.superMetrics = superMetrics;
    this.audit = audit;
  }

  void addTo(Routes routes) {
    routes
        .get("/api/supermetrics", this::list)
        .post("/api/supermetrics", this::create)
        .put("/api/supermetrics", this::change)
        .get("/api/supermetrics/{id}", call -> Answer.ok(form(one(call.id("super metric")))))
        .delete("/api/supermetrics/{id}", this::delete);
  }

  private Answer list(Call call) {
    Given query = call.query();
    Set<UUID> ids = new HashSet<>(query.uuids("id"));
    List<String> names = query.lower("name");
    List<SuperMetric> found =
        Objects.requireNonNull(
                superMetrics
                    .listSuperMetrics(
                        null, null, null, null, null, null, SuperMetricSort.NAME, MOST, null)
                    .getBody())
            .getItems()
            .stream()
            .filter(one -> ids.isEmpty() || ids.contains(one.getId()))
            .filter(
                one ->
                    names.isEmpty()
                        || names.stream()
                            .anyMatch(
                                name -> one.getName().toLowerCase(Locale.ROOT).contains(name)))
            .toList();
    Call.Page page = call.page();
    return Answer.ok(
        Json.object(
            "pageInfo",
            Call.pageInfo(page, found.size()),
            "links",
            call.links(page, found.size()),
            "superMetrics",
            page.of(found).stream().map(SuperMetricOperations::form).toList()));
  }

  private SuperMetric one(UUID id) {
    return Objects.requireNonNull(superMetrics.getSuperMetric(id).getBody());
  }

  private static Object form(SuperMetric one) {
    Instant changed =
        one.getModificationTime() == null ? one.getUpdatedAt() : one.getModificationTime();
    return Json.object(
        "id",
        one.getId(),
        "name",
        one.getName(),
        "formula",
        one.getFormula(),
        "description",
        one.getDescription() == null ? "" : one.getDescription(),
        "modificationTime",
        changed.toEpochMilli());
  }

  private Answer create(Call call) {
    Given body = call.json();
    SuperMetricCreation wanted =
        new SuperMetricCreation(body.need("name"), body.need("formula"), List.of());
    wanted.setDescription(body.text("description"));
    List<UUID> id = body.uuids("id");
    if (!id.isEmpty()) {
      wanted.setId(id.getFirst());
    }
    return Answer.created(
        form(
            audit.run(
                call.request(),
                "createSuperMetric",
                "super-metrics",
                null,
                () -> Objects.requireNonNull(superMetrics.createSuperMetric(wanted).getBody()))));
  }

  private Answer change(Call call) {
    Given body = call.json();
    UUID id = Given.uuid("id", body.need("id"));
    SuperMetric before = one(id);
    SuperMetricEdit wanted =
        new SuperMetricEdit(body.need("name"), body.need("formula"), before.getKinds());
    wanted.setDescription(
        body.node("description") == null ? before.getDescription() : body.text("description"));
    wanted.setUnitId(before.getUnitId());
    wanted.setTags(before.getTags());
    wanted.setOwner(before.getOwner());
    wanted.setInterval(before.getInterval());
    return Answer.ok(
        form(
            audit.run(
                call.request(),
                "putSuperMetric",
                "super-metrics",
                id.toString(),
                () ->
                    Objects.requireNonNull(
                        superMetrics.putSuperMetric(id, wanted, ANY_VERSION).getBody()))));
  }

  private Answer delete(Call call) {
    UUID id = call.id("super metric");
    audit.run(
        call.request(),
        "deleteSuperMetric",
        "super-metrics",
        id.toString(),
        () -> superMetrics.deleteSuperMetric(id, ANY_VERSION));
    return Answer.empty(204);
  }
}
