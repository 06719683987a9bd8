package io.peerlens.incident;

/**
 * Title of an incident: the object and its trouble.
 *
 * @param now in present tense, such as "esx-1 is short of memory"
 * @param after in past tense, for when the incident is over
 */
record IncidentTitle(String now, String after) {

  /** Of incidents that a cause explains. */
  static IncidentTitle of(OpenAlert cause, String kind, String object) {
    boolean machine = kind.equals("VirtualMachine");
    boolean store = kind.equals(Topology.DATASTORE);
    if (cause.resource() == Resource.SILENCE) {
      return new IncidentTitle(object + " sends nothing", object + " sent nothing");
    }
    if (!cause.above()) {
      return of(cause.rule(), object);
    }
    return switch (cause.resource()) {
      case CPU ->
          machine
              ? new IncidentTitle(object + " uses much CPU", object + " used much CPU")
              : new IncidentTitle(object + " is short of CPU", object + " was short of CPU");
      case CPU_WAIT -> new IncidentTitle(object + " waits for CPU", object + " waited for CPU");
      case MEMORY ->
          new IncidentTitle(object + " is short of memory", object + " was short of memory");
      case STORAGE ->
          store
              ? new IncidentTitle(object + " answers slowly", object + " answered slowly")
              : new IncidentTitle(object + " waits for storage", object + " waited for storage");
      case CAPACITY -> new IncidentTitle(object + " is running full", object + " was running full");
      case NETWORK, SILENCE, OTHER -> of(cause.rule(), object);
    };
  }

  /** Of alerts that have something in common, with no cause. */
  static IncidentTitle common(String rule, int objects, String place) {
    String text =
        "%s: %,d objects%s".formatted(rule, objects, place.isEmpty() ? "" : " in " + place);
    return new IncidentTitle(text, text);
  }

  private static IncidentTitle of(String rule, String object) {
    String text = rule + " on " + object;
    return new IncidentTitle(text, text);
  }
}
