"""What runs flows on a schedule or on other machines: settings, work pools, automations."""
