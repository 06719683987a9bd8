package io.peerlens.definition;

import static java.util.Objects.requireNonNullElse;

import io.peerlens.api.RulesApi;
import io.peerlens.api.model.ImportAction;
import io.peerlens.api.model.InstallState;
import io.peerlens.api.model.OnConflict;
import io.peerlens.api.model.RuleImportItem;
import io.peerlens.api.model.RuleImportState;
import io.peerlens.api.model.RulePack;
import io.peerlens.api.model.RulePackList;
import io.peerlens.api.model.RulePackMember;
import io.peerlens.api.model.RulesImport;
import io.peerlens.definition.RuleItems.Item;
import io.peerlens.definition.RulesImporter.Planned;
import io.peerlens.load.Heavy;
import io.peerlens.load.HeavyWork;
import io.peerlens.security.Caller;
import io.peerlens.web.ApiException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
final class RulesController implements RulesApi {

  private final RulesImporter importer;
  private final RulesExporter exporter;
  private final RulePacks packs;
  private final SuperMetricPacks superMetricPacks;
  private final InstantSource clock;

  RulesController(
      RulesImporter importer,
      RulesExporter exporter,
      RulePacks packs,
      SuperMetricPacks superMetricPacks,
      InstantSource clock) {
    this.importer = importer;
    this.exporter = exporter;
    this.packs = packs;
    this.superMetricPacks = superMetricPacks;
    this.clock = clock;
  }

  @Heavy(HeavyWork.IMPORT)
  @Override
  public ResponseEntity<RulesImport> importRules(
      Resource body, Boolean dryRun, OnConflict onConflict) {
    byte[] content;
    try {
      content = body.getContentAsByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return carryOut(content, dryRun, onConflict, null);
  }

  @Override
  public ResponseEntity<RulesImport> installRulePack(
      String name, Boolean dryRun, OnConflict onConflict) {
    RulePacks.Pack pack =
        packs
            .named(name)
            .orElseThrow(
                () ->
                    ApiException.notFound("pack", name)
                        .hint(
                            "There are: "
                                + String.join(
                                    ", ", packs.all().stream().map(RulePacks.Pack::name).toList())
                                + "."));
    if (!dryRun) {
      RulesFile.read(pack.file(), importer.sections())
          .superMetricPacks()
          .forEach(superMetricPacks::install);
    }
    return carryOut(pack.file(), dryRun, onConflict, pack.name());
  }

  private ResponseEntity<RulesImport> carryOut(
      byte[] content, boolean dryRun, OnConflict onConflict, @Nullable String pack) {
    RulesFile file = RulesFile.read(content, importer.sections());
    List<Planned> plan =
        dryRun
            ? importer.plan(file, onConflict)
            : importer.apply(file, onConflict, pack, clock.instant(), Caller.current().name());
    return ResponseEntity.ok(
        new RulesImport(
            dryRun,
            count(plan, ImportAction.CREATE),
            count(plan, ImportAction.OVERWRITE),
            count(plan, ImportAction.SKIP),
            (int) plan.stream().filter(one -> one.state() == RuleImportState.INVALID).count(),
            plan.stream().map(RulesController::answer).toList()));
  }

  private static int count(List<Planned> plan, ImportAction action) {
    return (int) plan.stream().filter(one -> one.action() == action).count();
  }

  private static RuleImportItem answer(Planned planned) {
    return new RuleImportItem(
        planned.sort().section(),
        planned.index(),
        planned.id(),
        planned.name(),
        planned.state(),
        planned.action(),
        planned.reason(),
        planned.changes(),
        planned.errors());
  }

  @Heavy(HeavyWork.EXPORT)
  @Override
  public ResponseEntity<Object> exportRules(@Nullable List<UUID> id, @Nullable List<String> pack) {
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_JSON)
        .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"rules.json\"")
        .body(
            exporter.export(
                requireNonNullElse(id, List.of()), requireNonNullElse(pack, List.of())));
  }

  @Override
  public ResponseEntity<RulePackList> listRulePacks() {
    return ResponseEntity.ok(new RulePackList(packs.all().stream().map(this::pack).toList()));
  }

  private RulePack pack(RulePacks.Pack pack) {
    RulesFile file = RulesFile.read(pack.file(), importer.sections());
    List<RulePackMember> members = new ArrayList<>();
    int installed = 0;
    for (Planned planned : importer.plan(file, OnConflict.SKIP)) {
      Item item = planned.item();
      if (item == null) {
        throw new IllegalStateException(
            "the pack %s of the product is broken: %s".formatted(pack.name(), planned.reason()));
      }
      InstallState state =
          switch (planned.state()) {
            case NEW -> InstallState.NOT_INSTALLED;
            case SAME -> InstallState.INSTALLED;
            case CHANGED, CONFLICT, INVALID -> InstallState.CHANGED;
          };
      installed += state == InstallState.NOT_INSTALLED ? 0 : 1;
      members.add(
          new RulePackMember(
              planned.sort().section(),
              Objects.requireNonNull(planned.id()),
              planned.name(),
              item.definition().path("description").asString(null),
              state));
    }
    return new RulePack(
        pack.name(),
        requireNonNullElse(file.summary(), ""),
        file.superMetricPacks(),
        installed,
        members);
  }
}
