package io.peerlens.dashboard.vrops;

import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeper of the originals, under {@code x-vrops} beside what was made of them. What a file may cost
 * this way is bounded; an original that is too large leaves its size.
 */
final class Originals {

  private static final String MEMBER = "x-vrops";

  /** Members that say how the pages of vROps were arranged, or lie elsewhere in the format. */
  private static final Set<String> LEFT = Set.of("states", "widgets", "gridsterCoords", "entries");

  /** What one dashboard or view may keep: a definition is stored up to 1 MB. */
  private static final int EACH = 400_000;

  private int left;
  private int leftHere;

  Originals(int bytes) {
    this.left = bytes;
  }

  /** Begins with another dashboard. */
  void begin() {
    leftHere = EACH;
  }

  void keep(ObjectNode node, Xml definition) {
    begin();
    keep(node, "xml", definition.written());
  }

  /** Whether so much may still be kept; then it counts as kept. */
  private boolean fits(int length) {
    if (length > ImportLimits.ORIGINAL || length > left || length > leftHere) {
      return false;
    }
    left -= length;
    leftHere -= length;
    return true;
  }

  private void keep(ObjectNode node, String member, String text) {
    ObjectNode kept = node.putObject(MEMBER);
    if (!fits(text.length())) {
      kept.put("leftOut", text.length());
    } else {
      kept.put(member, text);
    }
  }

  void keep(ObjectNode node, JsonNode original) {
    ObjectNode copy = JsonNodeFactory.instance.objectNode();
    original
        .properties()
        .forEach(
            member -> {
              if (!LEFT.contains(member.getKey())) {
                copy.set(member.getKey(), member.getValue());
              }
            });
    int length = copy.toString().length();
    if (!fits(length)) {
      ObjectNode kept = node.putObject(MEMBER);
      kept.put("leftOut", length);
    } else {
      node.set(MEMBER, copy);
    }
  }
}
