package io.peerlens.outlier.group;

import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.definition.DefinitionStore;
import io.peerlens.definition.RuleStore;
import io.peerlens.definition.StoredForms;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The stored groups of peers. Thread-safe. */
public final class OutlierGroupStore extends DefinitionStore<OutlierGroupEdit, OutlierGroup> {

  private final OpenEvents events;

  public OutlierGroupStore(JdbcClient jdbc, RuleStore rules, OpenEvents events, int historyKept) {
    super(jdbc, rules, StoredForms.OUTLIER_GROUP, historyKept);
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

  /**
   * What was learned goes with what it was learned by, and so do open events; differences in
   * configuration go with what they were found by. When a definition could not be read before, all
   * stay.
   */
  @Override
  protected void replaced(JdbcClient jdbc, List<Replaced<OutlierGroup>> groups) {
    List<UUID> anew = new ArrayList<>();
    List<UUID> found = new ArrayList<>();
    for (Replaced<OutlierGroup> one : groups) {
      OutlierGroup before = one.before();
      OutlierGroup now = one.now();
      CloseReason reason = reason(before, now);
      boolean changed = before != null && now != null && !now.comparesPropertiesAs(before);
      if (reason != null) {
        anew.add(one.id());
        if (reason == CloseReason.DEFINITION_CHANGED) {
          events.closeMetrics(one.id(), reason);
        } else {
          events.closeAll(one.id(), reason);
          found.add(one.id());
        }
      } else if (before != null && now != null && now.groupEvent() == null) {
        events.closeShift(one.id(), CloseReason.DEFINITION_CHANGED);
      }
      if (changed) {
        events.closeConfiguration(one.id(), CloseReason.DEFINITION_CHANGED);
        found.add(one.id());
      }
    }
    jdbc.sql("delete from outlier_difference where group_id = any (:ids)")
        .param("ids", found.toArray(UUID[]::new))
        .update();
    UUID[] ids = anew.toArray(UUID[]::new);
    jdbc.sql("delete from outlier_learned where group_id = any (:ids)").param("ids", ids).update();
    jdbc.sql("delete from outlier_state where group_id = any (:ids)").param("ids", ids).update();
  }

  /** Why open events end; null = they go on. */
  private static @Nullable CloseReason reason(
      @Nullable OutlierGroup before, @Nullable OutlierGroup now) {
    if (now == null) {
      return CloseReason.DEFINITION_DELETED;
    }
    if (before == null) {
      return null;
    }
    if (!now.enabled()) {
      return CloseReason.DEFINITION_DISABLED;
    }
    return now.basis().equals(before.basis()) ? null : CloseReason.DEFINITION_CHANGED;
  }
}
