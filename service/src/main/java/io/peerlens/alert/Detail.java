package io.peerlens.alert;

import io.peerlens.api.model.AlertExplanation;
import java.util.List;

/**
 * What is written of an alert that was opened or changed.
 *
 * @param explanation without its subject, which is looked up when it is read
 * @param members the worst ones, with their units
 * @param memberCount of all
 */
record Detail(AlertExplanation explanation, List<Member> members, int memberCount) {}
