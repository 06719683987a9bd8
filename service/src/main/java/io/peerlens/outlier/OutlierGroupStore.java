package io.peerlens.outlier;

import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.rule.DefinitionStore;
import io.peerlens.rule.RuleStore;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The stored groups of peers. Thread-safe. */
public final class OutlierGroupStore extends DefinitionStore<OutlierGroupEdit, OutlierGroup> {

  private final OutlierEventStore events;

  OutlierGroupStore(JdbcClient jdbc, RuleStore rules, OutlierEventStore events, int historyKept) {
    super(jdbc, rules, "outlier_group", OutlierGroupEdit.class, historyKept);
    this.events = events;
  }

  @Override
  protected OutlierGroup read(UUID id, long version, OutlierGroupEdit edit) {
    return OutlierGroupReader.read(id, version, "", edit);
  }

  @Override
  protected String name(OutlierGroup group) {
    return group.name();
  }

  @Override
  protected boolean isEnabled(OutlierGroup group) {
    return group.enabled();
  }

  /** What was learned goes with what it was learned by, and so do open events. */
  @Override
  protected void replaced(
      JdbcClient jdbc, UUID id, @Nullable OutlierGroup before, @Nullable OutlierGroup now) {
    if (before == null) {
      return;
    }
    CloseReason reason =
        now == null
            ? CloseReason.DEFINITION_DELETED
            : !now.enabled()
                ? CloseReason.DEFINITION_DISABLED
                : now.basis().equals(before.basis()) ? null : CloseReason.DEFINITION_CHANGED;
    if (reason != null) {
      jdbc.sql("delete from outlier_learned where group_id = :id").param("id", id).update();
      jdbc.sql("delete from outlier_state where group_id = :id").param("id", id).update();
      events.closeAll(id, reason);
    } else if (now != null && now.groupEvent() == null) {
      events.closeShift(id, CloseReason.DEFINITION_CHANGED);
    }
  }
}
