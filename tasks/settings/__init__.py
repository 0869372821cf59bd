"""What users write in experiment and suite files, as strict models."""
