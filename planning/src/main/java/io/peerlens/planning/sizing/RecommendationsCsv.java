package io.peerlens.planning.sizing;

import io.peerlens.api.model.Recommendation;
import io.peerlens.api.model.RecommendationPage;
import io.peerlens.web.CsvConverter;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A page of recommendations as CSV. */
final class RecommendationsCsv extends CsvConverter<RecommendationPage> {

  RecommendationsCsv() {
    super(RecommendationPage.class);
  }

  @Override
  protected List<String> columns() {
    return List.of(
        "id",
        "kind",
        "objectId",
        "object",
        "resource",
        "instance",
        "unit",
        "now",
        "size",
        "p50",
        "p95",
        "p99",
        "regretHoursPerWeek",
        "regretNowHoursPerWeek",
        "givesBackVcpus",
        "givesBackMemoryGb",
        "givesBackDiskGb",
        "ageDays",
        "proof",
        "reason",
        "owner",
        "decision",
        "decidedBy",
        "decidedAt",
        "ignoredUntil",
        "note",
        "firstSeenAt");
  }

  @Override
  protected List<List<@Nullable Object>> lines(RecommendationPage page) {
    return page.getItems().stream().map(RecommendationsCsv::cells).toList();
  }

  private static List<@Nullable Object> cells(Recommendation it) {
    return line(
        it.getId(),
        it.getKind(),
        it.getObject().getId(),
        it.getObject().getName(),
        it.getResource(),
        it.getInstance(),
        it.getUnit(),
        it.getNow(),
        it.getSize(),
        it.getP50(),
        it.getP95(),
        it.getP99(),
        it.getRegretHoursPerWeek(),
        it.getRegretNowHoursPerWeek(),
        it.getGivesBackVcpus(),
        it.getGivesBackMemoryGb(),
        it.getGivesBackDiskGb(),
        it.getAgeDays(),
        it.getProof().stream()
            .map(
                one ->
                    "%s %s %s".formatted(one.getWords(), Sizes.number(one.getP95()), one.getUnit()))
            .collect(Collectors.joining("; ")),
        it.getReason(),
        it.getOwner(),
        it.getDecision().getState(),
        it.getDecision().getBy(),
        it.getDecision().getAt(),
        it.getDecision().getUntil(),
        it.getDecision().getNote(),
        it.getFirstSeenAt());
  }
}
