package io.peerlens.notify.target;

import io.peerlens.api.model.RuleRef;
import java.util.List;
import java.util.UUID;

/** Something that sends to targets. */
@FunctionalInterface
public interface TargetUser {

  /** What sends to a target. */
  List<RuleRef> users(UUID target);
}
