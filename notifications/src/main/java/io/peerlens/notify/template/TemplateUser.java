package io.peerlens.notify.template;

import io.peerlens.api.model.RuleRef;
import java.util.List;

/** Something that renders templates. */
@FunctionalInterface
public interface TemplateUser {

  /**
   * What uses a template.
   *
   * @param template its id, for instance {@code pagerduty-events-v2}
   */
  List<RuleRef> users(String template);
}
