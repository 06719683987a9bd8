package io.peerlens.report.picture;

import io.peerlens.api.model.Change;
import java.util.Objects;

/** Words for what a change did, as the pages have them. */
public final class ChangeWords {

  private ChangeWords() {}

  /** What changed, without the object. */
  public static String of(Change change) {
    String key = Objects.requireNonNullElse(change.getKey(), "");
    String before = change.getBefore();
    String after = change.getAfter();
    return switch (change.getKind()) {
      case NEW_OBJECT -> "is new, a " + change.getObject().getObjectKind();
      case NAME -> "was renamed from %s to %s".formatted(before, after);
      case RECORDED ->
          key
              + ": "
              + Objects.requireNonNullElse(after, "")
              + (change.getAuthor() == null ? "" : " by " + change.getAuthor());
      case REPORTING ->
          "silent".equals(after) ? "went silent: its last sample was then" : "reports again";
      case REMOVED -> "removed".equals(after) ? "was removed at its source" : "is there again";
      case PLACEMENT ->
          before == null
              ? "is now in " + after
              : after == null ? "left " + before : "moved %s to %s".formatted(before, after);
      case PROPERTY, TAG -> {
        String called = change.getKind().getValue() + " " + key;
        yield before == null
            ? "got %s %s".formatted(called, after)
            : after == null
                ? "lost %s %s".formatted(called, before)
                : "%s %s to %s".formatted(key, before, after);
      }
    };
  }
}
