package io.peerlens.panel;

import io.peerlens.dashboard.file.Panel;
import io.peerlens.dashboard.file.View;
import java.util.Optional;

/** The views that the caller may see. */
@FunctionalInterface
public interface StoredViews {

  /** The view of an id or a name; empty = there is none, or the caller may not see it. */
  Optional<View> find(Panel.ViewRef view);
}
