package io.peerlens.panel;

import io.peerlens.api.model.PanelEmpty;

/** Thrown where a panel has nothing to show; it is an answer, no error. */
@SuppressWarnings("serial")
final class EmptyPanel extends RuntimeException {

  private final PanelEmpty empty;
  private final int matched;

  EmptyPanel(PanelEmpty empty, int matched) {
    super(empty.getText(), null, false, false);
    this.empty = empty;
    this.matched = matched;
  }

  PanelEmpty empty() {
    return empty;
  }

  /** How many objects met the rule. */
  int matched() {
    return matched;
  }
}
