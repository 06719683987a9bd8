package io.peerlens.dashboard;

import io.peerlens.dashboard.file.View;
import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A stored view. */
public record OwnedView(UUID id, View view, boolean shared, String owner) implements Owned {

  @Override
  public String name() {
    return view.name();
  }

  @Override
  public @Nullable String folder() {
    return view.folder();
  }

  @Override
  public String description() {
    return view.description();
  }

  @Override
  public List<ObjectKind> kinds() {
    return view.question().kinds();
  }
}
